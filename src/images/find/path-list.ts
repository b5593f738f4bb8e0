import { decodeText } from '../../lib/decode-text.ts';
import { VehiError } from '../../lib/errors.ts';
import { sniffFormat } from '../read/format.ts';

/** Longest list of paths that is read from stdin, bytes. */
const MAX_LIST_BYTES = 1024 * 1024;

/**
 * Reads a list of paths, one per line or, where it holds a zero byte, separated by zero bytes (`find -print0`).
 * @throws VehiError usage, when there is a picture instead of a list, too much of it, or UTF-16 without a byte order mark
 */
export async function readPathList(stdin: AsyncIterable<Uint8Array | string>): Promise<readonly string[]> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : Buffer.from(chunk);
    chunks.push(bytes);
    length += bytes.byteLength;
    if (sniffFormat(chunks[0] ?? bytes).kind === 'photo') {
      throw new VehiError('usage', 'INVALID_REQUEST', 'stdin: found a picture; "-" needs a list of paths', {
        hint: 'Give the photo as a file, or pipe its path: ls photos/*.jpg | vehi inspect -',
      });
    }
    if (length > MAX_LIST_BYTES) {
      throw new VehiError(
        'usage',
        'INVALID_REQUEST',
        `stdin: found more than ${MAX_LIST_BYTES} bytes of paths`,
        { hint: 'Give a folder instead of a list.' },
      );
    }
  }
  const text = decodeText(Buffer.concat(chunks));
  if (isUnmarkedUtf16(text)) {
    throw new VehiError('usage', 'INVALID_REQUEST', 'stdin: found UTF-16; "-" needs a list in UTF-8', {
      hint: 'In PowerShell: $OutputEncoding = [Text.Encoding]::UTF8',
    });
  }
  const entries = text.includes('\0')
    ? text.split('\0')
    : text.split('\n').map((line) => line.replace(/\r$/, ''));
  return entries.filter((entry) => entry.trim() !== '');
}

/** Returns whether every other byte of mostly Latin letters is zero; no list of `find -print0` holds so many. */
function isUnmarkedUtf16(text: string): boolean {
  const zeros = text.split('\0').length - 1;
  return zeros * 3 > text.length;
}
