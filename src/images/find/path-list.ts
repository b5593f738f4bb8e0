import { VehiError } from '../../lib/errors.ts';
import { sniffFormat } from '../read/format.ts';

/** Longest list of paths that is read from stdin, bytes. */
const MAX_LIST_BYTES = 1024 * 1024;

/**
 * Reads a list of paths, one per line or, where it holds a zero byte, separated by zero bytes (`find -print0`).
 * @throws VehiError usage, when there is a picture instead of a list, or too much of it
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
  const text = Buffer.concat(chunks).toString('utf8');
  const entries = text.includes('\0')
    ? text.split('\0')
    : text.split('\n').map((line) => line.replace(/\r$/, ''));
  return entries.filter((entry) => entry.trim() !== '');
}
