import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a file whole or not at all: to a temporary name next to it, which is then renamed. */
export async function writeWhole(
  target: string,
  content: string | Uint8Array,
  options: { readonly mode?: number; readonly flush?: boolean } = {},
): Promise<void> {
  const temporary = `${target}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, content, options);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
