/**
 * Decodes a file that somebody made: UTF-8, or UTF-16 where its byte order mark says so, as Windows PowerShell writes
 * what is redirected with `>`.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
