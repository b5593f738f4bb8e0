import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

/** Writes a file whole or not at all: to a temporary name next to it, which is then renamed. */
export async function writeWhole(
  target: string,
  content: string | Uint8Array | Readable,
  options: { readonly mode?: number; readonly flush?: boolean } = {},
): Promise<void> {
  // A name of its own: that of the file may be as long as the file system allows.
  const temporary = join(dirname(target), `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    await writeFile(temporary, content, options);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
