import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, resolve, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import type { PhotoRejection } from '../../domain/photo.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { escapeName } from '../../lib/display-name.ts';
import { VehiError } from '../../lib/errors.ts';
import { comparePaths } from '../../lib/natural-order.ts';
import { sniffFormat } from '../read/format.ts';
import { describeFsError } from '../read/source-bytes.ts';
import { judgeFound, scanFolder } from './folder-scan.ts';

/** Longest list of paths that is read from stdin, bytes. */
const MAX_LIST_BYTES = 1024 * 1024;

/**
 * Reads a list of paths, one per line or, where it holds a zero byte, separated by zero bytes (`find -print0`).
 * @throws VehiError usage, when there is a picture instead of a list, too much of it, or UTF-16 without a byte order mark
 */
async function readPathList(stdin: AsyncIterable<Uint8Array | string>): Promise<readonly string[]> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : Buffer.from(chunk);
    chunks.push(bytes);
    length += bytes.byteLength;
    if (sniffFormat(chunks[0] ?? bytes).kind === 'photo') {
      throw new VehiError('usage', 'INVALID_REQUEST', 'stdin: found a picture; "-" needs a list of paths.', {
        hint: 'Give the photo as a file, or pipe its path: ls photos/*.jpg | vehi inspect -',
      });
    }
    if (length > MAX_LIST_BYTES) {
      throw new VehiError(
        'usage',
        'INVALID_REQUEST',
        `stdin: found more than ${MAX_LIST_BYTES} bytes of paths.`,
        { hint: 'Give a folder instead of a list.' },
      );
    }
  }
  const text = decodeText(Buffer.concat(chunks));
  if (isUnmarkedUtf16(text)) {
    throw new VehiError('usage', 'INVALID_REQUEST', 'stdin: found UTF-16; "-" needs a list in UTF-8.', {
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

/** A file to be tried as a photo. */
export interface FoundPhoto {
  /** Absolute path to open. */
  readonly path: string;
  /** The path as given, or joined to the folder as given; what is echoed as `image_url`. */
  readonly url: string;
  /** Absolute path of the folder that was given, or that the file is in: where a manifest is looked for. */
  readonly root: string;
  /** Path relative to `root`, with forward slashes: the name that a manifest knows it by. */
  readonly name: string;
  /** True when the whole of `root` was looked through, false for a file named outright or by a pattern. */
  readonly scanned: boolean;
}

/** Something given that led to no photo; the url is what was given. */
type DiscoveryProblem = PhotoRejection & { readonly url: string };

export interface Discovery {
  readonly photos: readonly FoundPhoto[];
  readonly problems: readonly DiscoveryProblem[];
  /** Pictures of other kinds that folders and patterns came across. */
  readonly skipped: readonly { readonly url: string; readonly found: string }[];
}

export interface DiscoverOptions {
  readonly cwd: string;
  /** Folders inside given folders too. */
  readonly recursive: boolean;
  /** Source of the list that `-` stands for. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
}

/** A discovery in the making; each argument adds to it. */
interface Harvest {
  readonly photos: FoundPhoto[];
  readonly problems: DiscoveryProblem[];
  readonly skipped: { url: string; found: string }[];
}

/**
 * Turns arguments into files: photos, folders, patterns (where no file of that very name exists) and `-` for a list on
 * stdin, in the order given, natural order within each; a file reached twice (links too) counts once. A file named
 * outright is always tried, in folders and patterns only what looks like a photo.
 * @throws VehiError usage, when a path is empty, `-` is given twice or without stdin, or stdin holds no list
 */
export async function discoverPhotos(args: readonly string[], options: DiscoverOptions): Promise<Discovery> {
  const harvest: Harvest = { photos: [], problems: [], skipped: [] };
  if (args.filter((arg) => arg === '-').length > 1) {
    throw new VehiError('usage', 'INVALID_REQUEST', '"-" is given twice; stdin can be read once.');
  }
  refuseEmptyPaths(args);
  for (const arg of args) {
    if (arg === '-') await takeList(options, harvest);
    else await takeArgument(arg, options, true, harvest);
  }
  return { ...harvest, photos: await keepFirstOfEachFile(harvest.photos) };
}

/** Refuses a path that is empty: it would mean the current folder, whatever lies there. @throws VehiError usage */
export function refuseEmptyPaths(paths: readonly string[]): void {
  if (paths.every((path) => path !== '')) return;
  throw new VehiError('usage', 'INVALID_REQUEST', 'a path is empty.', {
    hint: 'A variable in the command may be unset; . names the current folder.',
  });
}

async function takeList(options: DiscoverOptions, harvest: Harvest): Promise<void> {
  if (options.stdin === undefined) {
    throw new VehiError('usage', 'INVALID_REQUEST', '"-" is given but there is nothing on stdin.');
  }
  const paths = await readPathList(options.stdin);
  if (paths.length === 0)
    harvest.problems.push(makeNoPhotosProblem('-', 'an empty list on stdin', 'one path per line'));
  for (const path of paths) await takeArgument(path, options, false, harvest);
}

async function takeArgument(
  arg: string,
  options: DiscoverOptions,
  patterns: boolean,
  harvest: Harvest,
): Promise<void> {
  const path = resolve(options.cwd, arg);
  try {
    if ((await stat(path)).isDirectory()) await takeFolder(arg, path, options.recursive, harvest);
    else harvest.photos.push({ path, url: arg, root: dirname(path), name: basename(path), scanned: false });
  } catch (error) {
    if (patterns && isDynamicPattern(arg)) await takePattern(arg, options.cwd, harvest);
    else {
      const needed = 'an existing photo, folder or pattern';
      harvest.problems.push(makeProblem('IMAGE_UNREADABLE', arg, describeFsError(error), needed));
    }
  }
}

async function takeFolder(given: string, root: string, recursive: boolean, harvest: Harvest): Promise<void> {
  try {
    const scan = await scanFolder(root, recursive);
    for (const name of scan.photos) {
      harvest.photos.push({
        path: resolve(root, name),
        url: joinUrl(given, name),
        root,
        name,
        scanned: true,
      });
    }
    for (const { path, found } of scan.skipped) harvest.skipped.push({ url: joinUrl(given, path), found });
    for (const { path, reason, needed } of scan.unreadable)
      harvest.problems.push(makeProblem('IMAGE_UNREADABLE', joinUrl(given, path), reason, needed));
    if (scan.photos.length === 0) {
      const hint = recursive ? '' : ' (--recursive looks in the folders below as well)';
      harvest.problems.push(
        makeNoPhotosProblem(given, 'a folder without photos', `JPEG, PNG or HEIC files${hint}`),
      );
    }
  } catch (error) {
    const needed = 'a folder that can be read';
    harvest.problems.push(makeProblem('IMAGE_UNREADABLE', given, describeFsError(error), needed));
  }
}

async function takePattern(pattern: string, cwd: string, harvest: Harvest): Promise<void> {
  const hits = await glob(sep === '\\' ? pattern.replaceAll('\\', '/') : pattern, {
    cwd,
    absolute: isAbsolute(pattern),
    onlyFiles: true,
    expandDirectories: false,
    caseSensitiveMatch: false,
    ignore: ['**/node_modules/**'],
  });
  let taken = 0;
  for (const hit of await keepShortestOfEachFile(hits, cwd)) {
    const path = resolve(cwd, hit);
    const judged = await judgeFound(path);
    if (judged?.photo === true) {
      taken++;
      harvest.photos.push({ path, url: hit, root: dirname(path), name: basename(path), scanned: false });
    } else if (judged !== null) harvest.skipped.push({ url: hit, found: judged.found });
  }
  if (taken === 0) {
    const none =
      hits.length === 1
        ? '1 file that matches, not a photo'
        : `${hits.length} files that match, none a photo`;
    const found = hits.length === 0 ? 'no file that matches' : none;
    harvest.problems.push(
      makeNoPhotosProblem(pattern, found, 'a pattern that matches JPEG, PNG or HEIC files'),
    );
  }
}

/** Keeps the shortest of several ways by which a pattern reaches a file through links, in natural order. */
async function keepShortestOfEachFile(hits: readonly string[], cwd: string): Promise<readonly string[]> {
  const shortest = new Map<string, string>();
  for (const hit of [...hits].sort((a, b) => a.length - b.length || comparePaths(a, b))) {
    const real = await realpath(resolve(cwd, hit)).catch(() => hit);
    if (!shortest.has(real)) shortest.set(real, hit);
  }
  return [...shortest.values()].sort(comparePaths);
}

async function keepFirstOfEachFile(photos: readonly FoundPhoto[]): Promise<readonly FoundPhoto[]> {
  const first = new Map<string, FoundPhoto>();
  for (const photo of photos) {
    const real = await realpath(photo.path).catch(() => photo.path);
    if (!first.has(real)) first.set(real, photo);
  }
  return [...first.values()];
}

function joinUrl(given: string, name: string): string {
  if (given === '.' || given === './') return name;
  const folder = given.replaceAll(sep, '/').replace(/\/+$/, '');
  return `${folder}/${name}`;
}

function makeNoPhotosProblem(given: string, found: string, needed: string): DiscoveryProblem {
  return makeProblem('NO_PHOTOS_FOUND', given, found, needed);
}

function makeProblem(code: string, given: string, found: string, needed: string): DiscoveryProblem {
  return {
    url: given,
    code,
    found,
    needed,
    message: `${escapeName(given)}: found ${found}; needed: ${needed}`,
  };
}
