import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { VehiError } from './errors.ts';
import { toReason } from './reason.ts';

/**
 * Reads a file named by a flag or variable; `file` is relative to `cwd`.
 * @throws VehiError usage/FILE_UNREADABLE with the name, the file and the reason
 */
export function readNamedFile(name: string, file: string, cwd = ''): Buffer {
  try {
    return readFileSync(resolve(cwd, file));
  } catch (cause) {
    const message = `${name}: cannot read ${file} (${toReason(cause)})`;
    throw new VehiError('usage', 'FILE_UNREADABLE', message, { cause });
  }
}
