import { VehiError } from './errors.ts';

/**
 * Decodes a text file: UTF-8, or UTF-16 with a byte order mark, as Windows PowerShell writes for `>` redirection.
 * @param name the file, for an error that nobody words again
 * @throws Error naming line and byte of what is no UTF-8, which would otherwise be lost; with a name as VehiError
 */
export function decodeText(bytes: Uint8Array, name?: string): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const reason =
      encoding === 'utf-8' ? describeFault(bytes) : `it is no whole ${encoding.toUpperCase()} text`;
    if (name === undefined) throw new Error(reason);
    throw new VehiError('input', 'NOT_UTF8', `${name}: ${reason}`, { hint: 'Save it as UTF-8.' });
  }
}

/** Names the first byte that is no UTF-8. */
function describeFault(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let offset = 0;
  let line = 1;
  for (;;) {
    const newline = bytes.indexOf(10, offset);
    const end = newline < 0 ? bytes.length : newline;
    try {
      decoder.decode(bytes.subarray(offset, end));
    } catch {
      break;
    }
    if (newline < 0) break;
    offset = newline + 1;
    line++;
  }
  const rest = bytes.subarray(offset);
  // A replacement character stands where the first fault is, unless the text itself has one there.
  const before = new TextDecoder().decode(rest).split('\uFFFD')[0] ?? '';
  const at = offset + new TextEncoder().encode(before).length;
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  return `byte ${at + 1} (0x${byte}, line ${line}) is not UTF-8; the text is probably Windows-1252.`;
}
