import { readlink, realpath, stat, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { toReason, VehiError } from '../../lib/errors.ts';
import { makeFolder, writeFileAtomic } from '../../lib/files.ts';
import { escapeName } from '../../lib/names.ts';
import { foldLines } from '../../report/text/terminal-lines.ts';
import type { CliContext } from './context.ts';

/**
 * Writes text or bytes and waits until they are consumed; a closed pipe (`| head`) is not an error.
 * @throws VehiError OUTPUT_NOT_WRITABLE, for example for a full disk behind `> file`
 */
export async function write(stream: Writable, content: string | Uint8Array | Readable): Promise<void> {
  if (typeof content === 'string' || content instanceof Uint8Array) return writeOne(stream, content);
  for await (const chunk of content) await writeOne(stream, chunk);
}

/**
 * Writes a message to stderr, wrapped to the width of a terminal; in files and pipes it stays on one line. It may name
 * files of any name: control characters other than line breaks are escaped.
 */
export function writeStatus({ stderr }: Pick<CliContext, 'stderr'>, text: string): Promise<void> {
  const shown = text.split('\n').map(escapeName).join('\n');
  return write(stderr, `${stderr.isTTY && stderr.columns ? foldLines(shown, stderr.columns) : shown}\n`);
}

/** Reports that the used link of a page was opened again; on a terminal, Enter prints a new one. */
export const reportUsedLink = (ctx: Pick<CliContext, 'stderr' | 'interactive'>): Promise<void> =>
  writeStatus(
    ctx,
    `vehi: a link that was used before was opened${ctx.interactive ? '; Enter prints a new one' : ''}`,
  );

const writeOne = (stream: Writable, content: string | Uint8Array): Promise<void> =>
  new Promise((resolvePromise, rejectPromise) => {
    if (stream.destroyed || stream.writableEnded) return resolvePromise();
    const onError = (error: NodeJS.ErrnoException) => {
      if (isReaderGone(error)) resolvePromise();
      else rejectPromise(makeOutputError(error));
    };
    stream.once('error', onError);
    stream.write(content, (error) => {
      if (error) return onError(error);
      stream.off('error', onError);
      resolvePromise();
    });
  });

/** Returns true if a write failed only because the reader closed the pipe. */
export const isReaderGone = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';

export function makeOutputError(cause: NodeJS.ErrnoException): VehiError {
  const message = `cannot write the output: ${toReason(cause)}`;
  return new VehiError('usage', 'OUTPUT_NOT_WRITABLE', message, { cause });
}

/**
 * Writes a file atomically and creates its folders. Links are followed. A device or pipe (`/dev/null`) is written
 * directly, because a rename would replace it with a file. An existing file keeps its permissions; a read-only one is
 * not replaced, although its folder would allow it.
 * @param options permissions of a new file, and whether to wait until the content is on the disk
 * @throws VehiError usage OUTPUT_NOT_WRITABLE
 */
export async function writeFileWhole(
  path: string,
  content: string | Uint8Array | Readable,
  cwd = '.',
  options: { readonly mode?: number; readonly flush?: boolean } = {},
): Promise<void> {
  const target = await locateTarget(resolve(cwd, path));
  try {
    const existing = await stat(target).catch(() => undefined);
    if (existing && !existing.isFile() && !existing.isDirectory()) return await writeFile(target, content);
    if (existing?.isFile() && isReadOnly(existing.mode)) throw new Error('the file is read-only');
    await makeFolder(dirname(target));
    await writeFileAtomic(target, content, {
      ...options,
      ...(existing?.isFile() ? { mode: existing.mode & 0o777 } : {}),
    });
  } catch (cause) {
    const reason = toReason(cause);
    throw new VehiError('usage', 'OUTPUT_NOT_WRITABLE', `cannot write ${escapeName(path)}: ${reason}`, {
      hint: 'Choose another place, or make room and check the permissions of the folder.',
      cause,
    });
  }
}

/** Most links that are followed from one to the next, as Linux does. */
const MAX_LINKS = 40;

/** Returns the real path of a file or folder, also of one that does not exist yet: links, and links to nothing, are followed. */
export async function locateTarget(path: string, linkCount = 0): Promise<string> {
  const existing = await realpath(path).catch(() => undefined);
  const parent = dirname(path);
  if (existing !== undefined || parent === path || linkCount > MAX_LINKS) return existing ?? path;
  const folder = await locateTarget(parent, linkCount);
  const named = join(folder, basename(path));
  const linked = await readlink(named).catch(() => undefined);
  return linked === undefined ? named : locateTarget(resolve(folder, linked), linkCount + 1);
}

export const isReadOnly = (mode: number): boolean => (mode & 0o222) === 0;

/** Line width of output that is not a terminal, in characters; files and pipes are read in editors, pagers and logs. */
export const FILE_COLUMNS = 100;

/** Returns the width of help in characters: that of the terminal, also behind `| less`. */
export const countHelpColumns = ({ stdout, stderr }: Pick<CliContext, 'stdout' | 'stderr'>): number =>
  stdout.columns ?? stderr.columns ?? FILE_COLUMNS;

/** Returns the maximum line width on stdout in characters; behind `| less`, a narrower terminal's. */
export function countColumns({ stdout, stderr }: Pick<CliContext, 'stdout' | 'stderr'>): number {
  if (stdout.isTTY) return stdout.columns || 80;
  return stdout instanceof Socket ? Math.min(FILE_COLUMNS, stderr.columns || FILE_COLUMNS) : FILE_COLUMNS;
}
