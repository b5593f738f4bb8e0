import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';

/** Reads a stream into memory. @throws the error of `makeError`, given the first chunk, beyond `maxBytes` */
export async function readBounded(
  stream: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
  makeError: (start: Uint8Array) => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let totalBytes = 0;
  for await (const chunk of stream) {
    const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    totalBytes += buffer.length;
    chunks.push(buffer);
    if (totalBytes > maxBytes) throw makeError(chunks[0] ?? buffer);
  }
  return Buffer.concat(chunks);
}

/**
 * Writes a file atomically: to a temporary file, in the same folder unless given, which is then renamed.
 * @param options `beforeRename` runs once the content is stored; if it fails, the target stays as it was
 */
export async function writeFileAtomic(
  target: string,
  content: string | Uint8Array | Readable,
  options: {
    readonly mode?: number;
    readonly flush?: boolean;
    readonly temporaryFolder?: string;
    readonly beforeRename?: () => Promise<void>;
  } = {},
): Promise<void> {
  // A separate short name, because the target's may have the maximum length of the file system.
  const temporaryFile = join(options.temporaryFolder ?? dirname(target), `.${randomUUID()}.tmp`);
  try {
    await writeFile(temporaryFile, content, { mode: options.mode, flush: options.flush });
    // The mode of a new file is reduced by the umask.
    if (options.mode !== undefined) await chmod(temporaryFile, options.mode);
    await options.beforeRename?.();
    await rename(temporaryFile, target);
  } catch (error) {
    await rm(temporaryFile, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Creates a folder and its missing parents, without mkdir's `recursive`: Node hangs in it if the system reports "no
 * such file" although the parent exists, as in /proc (`HOME=/proc`). Leaves an existing folder unchanged.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const folder = resolve(path);
  if (!existsSync(dirname(folder))) await makeFolder(dirname(folder), mode);
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    // It may have existed, or another process may have created it in the meantime.
    if (!isFolder(folder)) throw error;
  }
}

/** Creates a folder like `makeFolder`, synchronously. */
export function makeFolderSync(path: string, mode?: number): void {
  const folder = resolve(path);
  if (!existsSync(dirname(folder))) makeFolderSync(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

/** Returns a free file name, with a number if necessary, and adds it to `taken`. Names are compared in lower case. */
export function takeFreeName(name: string, taken: Set<string>): string {
  const end = extname(name);
  const stem = name.slice(0, name.length - end.length);
  let free = name;
  for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${stem}-${n}${end}`;
  taken.add(free.toLowerCase());
  return free;
}
