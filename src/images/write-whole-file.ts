import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { VehiError } from '../domain/errors.ts';
import { displayName } from './display-name.ts';
import { describeFsError } from './source-bytes.ts';

/**
 * Writes a file whole or not at all: under a temporary name beside it, then renamed. Makes its folder where needed.
 * @throws VehiError usage OUTPUT_NOT_WRITABLE
 */
export async function writeWholeFile(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, bytes, { flag: 'wx' });
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    const reason = describeFsError(cause);
    throw new VehiError('usage', 'OUTPUT_NOT_WRITABLE', `cannot write ${displayName(path)}: ${reason}`, {
      hint: 'Choose another place, or make room and check the permissions of the folder.',
      cause,
    });
  }
}
