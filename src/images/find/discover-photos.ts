import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, resolve, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { PHOTO_FORMAT_WORDS, type PhotoRejection } from '../../domain/photo.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { makeUsageError, VehiError } from '../../lib/errors.ts';
import { readBounded } from '../../lib/files.ts';
import { comparePaths } from '../../lib/names.ts';
import { sniffFormat } from '../read/format.ts';
import { describeFsError } from '../read/fs-error.ts';
import { makeRejection } from '../read/rejection.ts';
import { classifyFile } from './classify-file.ts';
import { DRAWN_COPY } from './drawn-copy.ts';
import { scanFolder } from './folder-scan.ts';

/** Maximum size of a path list on stdin, in bytes. */
const MAX_LIST_BYTES = 1024 * 1024;

/**
 * Reads a list of paths, separated by newlines or, if it contains a NUL, by NUL (`find -print0`).
 * @throws VehiError usage, if stdin contains a picture or too much data; input NOT_UTF8
 */
async function readPathList(stdin: AsyncIterable<Uint8Array | string>): Promise<readonly string[]> {
  const bytes = await readBounded(stdin, MAX_LIST_BYTES, (start) =>
    sniffFormat(start).kind === 'photo'
      ? makePictureError()
      : makeUsageError(
          `stdin: found more than ${MAX_LIST_BYTES} bytes of paths.`,
          'Give a folder instead of a list.',
        ),
  );
  if (sniffFormat(bytes).kind === 'photo') throw makePictureError();
  const text = decodeText(bytes, 'stdin');
  const entries = text.split(text.includes('\0') ? '\0' : /\r?\n|\r$/);
  return entries.filter((entry) => entry.trim() !== '');
}

const makePictureError = () =>
  makeUsageError(
    'stdin: found a picture; "-" needs a list of paths.',
    'Give the photo as a file, or pipe its path: ls photos/*.jpg | vehi inspect -',
  );

export interface FoundPhoto {
  /** Absolute path. */
  readonly path: string;
  /** The path as given, or joined to the given folder; echoed as `image_url`. */
  readonly url: string;
  /** Absolute path of the given folder, or of the file's folder, where its `vehi.json` is searched. */
  readonly root: string;
  /** Path relative to `root`, with forward slashes: the photo's key in a `vehi.json`. */
  readonly name: string;
  /** True if all of `root` was scanned; false for a file given by name or pattern. */
  readonly scanned: boolean;
}

interface Draft {
  readonly photos: FoundPhoto[];
  /** Arguments without photos; `url` is the argument as given. */
  readonly problems: (PhotoRejection & { readonly url: string })[];
  /** Images in other formats found in folders and by patterns. */
  readonly skipped: { readonly url: string; readonly found: string }[];
}
export type Discovery = { readonly [K in keyof Draft]: readonly Draft[K][number][] };

export interface DiscoverOptions {
  readonly cwd: string;
  /** Includes subfolders of the given folders. */
  readonly recursive: boolean;
  /** Source of the path list for `-`. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
}

/**
 * Resolves arguments to files: photos, folders, patterns (if no file has that exact name) and `-` for a list on stdin.
 * Keeps argument order, natural order within each argument, and each file once (even if linked). A file given by name
 * is always tried; folders and patterns only contribute files that look like photos.
 * @throws VehiError usage, if a path is empty, `-` is repeated or given without stdin, or stdin contains a picture or
 * too much data; input NOT_UTF8, if stdin contains no text
 */
export async function discoverPhotos(args: readonly string[], options: DiscoverOptions): Promise<Discovery> {
  const result: Draft = { photos: [], problems: [], skipped: [] };
  if (args.filter((arg) => arg === '-').length > 1) {
    throw new VehiError('usage', 'INVALID_REQUEST', '"-" is given twice; stdin can be read once.');
  }
  refuseEmptyPaths(args);
  for (const arg of args) {
    if (arg === '-') await addList(options, result);
    else await addArgument(arg, options, true, result);
  }
  return {
    photos: await keepFirstOfEachFile(result.photos),
    problems: keepOnePerUrl(result.problems),
    skipped: keepOnePerUrl(result.skipped),
  };
}

/** Rejects an empty path, which would resolve to the current folder. @throws VehiError usage */
export function refuseEmptyPaths(paths: readonly string[]): void {
  if (paths.every((path) => path !== '')) return;
  const hint = 'A variable in the command may be unset; . names the current folder.';
  throw makeUsageError('a path is empty.', hint);
}

async function addList(options: DiscoverOptions, result: Draft): Promise<void> {
  if (options.stdin === undefined) {
    throw new VehiError('usage', 'INVALID_REQUEST', '"-" is given but there is nothing on stdin.');
  }
  const paths = await readPathList(options.stdin);
  if (paths.length === 0)
    addProblem(result, '-', 'NO_PHOTOS_FOUND', 'an empty list on stdin', 'one path per line');
  for (const path of paths) await addArgument(path, options, false, result);
}

async function addArgument(
  arg: string,
  options: DiscoverOptions,
  patterns: boolean,
  result: Draft,
): Promise<void> {
  const path = resolve(options.cwd, arg);
  try {
    if ((await stat(path)).isDirectory()) await addFolder(arg, path, options.recursive, result);
    else {
      const classified = await classifyFile(path);
      if (classified?.photo === false && classified.found === DRAWN_COPY)
        addProblem(result, arg, 'UNSUPPORTED_IMAGE_FORMAT', DRAWN_COPY, 'the photo it was made from');
      else addPhoto(result, arg, dirname(path), basename(path), false);
    }
  } catch (error) {
    if (patterns && isDynamicPattern(arg)) await addPattern(arg, options.cwd, result);
    else {
      const needed = patterns ? 'an existing photo, folder or pattern' : 'an existing photo or folder';
      addProblem(result, arg, 'IMAGE_UNREADABLE', describeFsError(error), needed);
    }
  }
}

async function addFolder(given: string, root: string, recursive: boolean, result: Draft): Promise<void> {
  try {
    const scan = await scanFolder(root, recursive);
    for (const name of scan.photos) addPhoto(result, joinUrl(given, name), root, name, true);
    for (const { path, found } of scan.skipped) result.skipped.push({ url: joinUrl(given, path), found });
    for (const { path, reason, needed } of scan.unreadable)
      addProblem(result, joinUrl(given, path), 'IMAGE_UNREADABLE', reason, needed);
    if (scan.photos.length === 0) {
      const hint = recursive ? '' : ' (--recursive looks in the folders below as well)';
      const needed = `${PHOTO_FORMAT_WORDS} files${hint}`;
      addProblem(result, given, 'NO_PHOTOS_FOUND', 'a folder without photos', needed);
    }
  } catch (error) {
    addProblem(result, given, 'IMAGE_UNREADABLE', describeFsError(error), 'a folder that can be read');
  }
}

async function addPattern(pattern: string, cwd: string, result: Draft): Promise<void> {
  const hits = await glob(sep === '\\' ? pattern.replaceAll('\\', '/') : pattern, {
    cwd,
    absolute: isAbsolute(pattern),
    onlyFiles: true,
    expandDirectories: false,
    caseSensitiveMatch: false,
    ignore: ['**/node_modules/**'],
  });
  let count = 0;
  for (const hit of hits.sort(comparePaths)) {
    const path = resolve(cwd, hit);
    const classified = await classifyFile(path);
    if (classified?.photo === true) {
      count++;
      addPhoto(result, hit, dirname(path), basename(path), false);
    } else if (classified !== null) result.skipped.push({ url: hit, found: classified.found });
  }
  if (count === 0) {
    const none =
      hits.length === 1
        ? '1 file that matches, not a photo'
        : `${hits.length} files that match, none a photo`;
    const found = hits.length === 0 ? 'no such file, and none that matches' : none;
    const needed = `a pattern that matches ${PHOTO_FORMAT_WORDS} files`;
    addProblem(result, pattern, 'NO_PHOTOS_FOUND', found, needed);
  }
}

async function keepFirstOfEachFile(photos: readonly FoundPhoto[]): Promise<readonly FoundPhoto[]> {
  const first = new Map<string, FoundPhoto>();
  for (const photo of photos) {
    const real = await realpath(photo.path).catch(() => photo.path);
    if (!first.has(real)) first.set(real, photo);
  }
  return [...first.values()];
}

const keepOnePerUrl = <T extends { readonly url: string }>(list: readonly T[]): readonly T[] => [
  ...new Map(list.map((one) => [one.url, one])).values(),
];

function joinUrl(given: string, name: string): string {
  if (given === '.' || given === './') return name;
  const folder = given.replaceAll(sep, '/').replace(/\/+$/, '');
  return `${folder}/${name}`;
}

function addPhoto({ photos }: Draft, url: string, root: string, name: string, scanned: boolean): void {
  photos.push({ path: resolve(root, name), url, root, name, scanned });
}

function addProblem({ problems }: Draft, ...[given, ...about]: Parameters<typeof makeRejection>): void {
  problems.push({ url: given, ...makeRejection(given, ...about) });
}
