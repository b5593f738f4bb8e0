import { VehiError } from './errors.ts';

/**
 * Decodes a text file: UTF-8, or UTF-16 with a byte order mark, as written by `>` in Windows PowerShell.
 * @param name the file's name; if given, the error is a VehiError ready for the user
 * @throws Error naming line and byte of invalid UTF-8, which would otherwise be lost; with `name`, a VehiError
 */
export function decodeText(bytes: Uint8Array, name?: string): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const reason = encoding === 'utf-8' ? describeFault(bytes) : `it is not valid ${encoding.toUpperCase()}.`;
    if (name === undefined) throw new Error(reason);
    throw new VehiError('input', 'NOT_UTF8', `${name}: ${reason}`, { hint: 'Save it as UTF-8.' });
  }
}

/** Describes the position of the first byte that is not UTF-8. */
function describeFault(bytes: Uint8Array): string {
  const replaced = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  let at = 0;
  while (replaced[at] === bytes[at]) at++;
  // The fault may share bytes with a replacement character; steps back to its start.
  while (((replaced[at] ?? 0) & 0xc0) === 0x80) at--;
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  const line = bytes.subarray(0, at).filter((one) => one === 0x0a).length + 1;
  const guess = bytes.includes(0) ? 'it is no text' : 'the text is probably Windows-1252';
  return `byte ${at + 1} (0x${byte}, line ${line}) is not UTF-8; ${guess}.`;
}
