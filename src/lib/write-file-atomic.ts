import { randomBytes } from 'node:crypto';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

/** Writes a file atomically: to a temporary file in the same folder, which is then renamed. */
export async function writeFileAtomic(
  target: string,
  content: string | Uint8Array | Readable,
  options: { readonly mode?: number; readonly flush?: boolean } = {},
): Promise<void> {
  // A separate short name, because the target's may have the maximum length of the file system.
  const temporaryFile = join(dirname(target), `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    await writeFile(temporaryFile, content, options);
    // The mode of a new file is reduced by the umask.
    if (options.mode !== undefined) await chmod(temporaryFile, options.mode);
    await rename(temporaryFile, target);
  } catch (error) {
    await rm(temporaryFile, { force: true }).catch(() => undefined);
    throw error;
  }
}
