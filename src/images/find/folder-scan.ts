import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { comparePaths } from '../../lib/names.ts';
import { SNIFF_BYTES, sniffFormat } from '../read/format.ts';
import { describeFsError } from '../read/fs-error.ts';
import { DRAWN_COPY, isDrawnCopy } from './drawn-copy.ts';
import { hasPhotoExtension } from './extension.ts';

/** Contents of a folder: paths relative to it, with forward slashes, in natural order. */
interface FolderScan {
  readonly photos: readonly string[];
  /** Image files in unsupported formats. */
  readonly skipped: readonly Skipped[];
  /** Unreadable subfolders, and broken links with a photo's extension. */
  readonly unreadable: readonly Unreadable[];
}

interface Skipped {
  readonly path: string;
  readonly found: string;
}

interface Unreadable {
  readonly path: string;
  readonly reason: string;
  readonly needed: string;
}

/** Extensions of image and video formats that cameras leave next to photos; reported when skipped. */
const OTHER_IMAGES = new Set(
  '.webp .avif .gif .tif .tiff .bmp .svg .jxl .jp2 .dng .cr2 .cr3 .nef .arw .orf .rw2 .raf .mov .mp4'.split(
    ' ',
  ),
);
/** Names that programs derive from a photo's, such as `IMG_1.JPG (1)`, `a.jpeg?dl=1` and `a.jpg_large`. */
const PHOTO_NAME = /\.(jpe?g|jpe|jfif|png|heic|heif|hif|mpo)(?![a-z0-9])/i;

/** A file of a folder: a photo, or a picture that is not inspected, with its format. */
type Classified = { readonly photo: true } | { readonly photo: false; readonly found: string };

/**
 * Classifies a file by its first bytes, or by name if these are inconclusive; null if it is neither a photo nor another
 * picture. A file named like a photo counts as one, so that the reader reports why it cannot be used.
 */
export async function classifyFile(path: string): Promise<Classified | null> {
  const head = await readHead(path);
  if (head !== null && isDrawnCopy(head)) return { photo: false, found: DRAWN_COPY };
  const sniffed = head === null ? { kind: 'unknown' as const } : sniffFormat(head);
  if (sniffed.kind === 'photo' || hasPhotoExtension(path)) return { photo: true };
  const isNamedOther = OTHER_IMAGES.has(extname(path).toLowerCase());
  if (sniffed.kind === 'other' && (isNamedOther || /image|video|Photoshop/.test(sniffed.name)))
    return { photo: false, found: sniffed.name };
  if (isNamedOther) return { photo: false, found: 'an unknown format' };
  return PHOTO_NAME.test(basename(path)) ? { photo: true } : null;
}

/** Reads the first bytes of a file; null if it cannot be read. */
export async function readHead(path: string): Promise<Uint8Array | null> {
  try {
    // Without O_NONBLOCK, a pipe would block.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}

/**
 * Finds the photos of a folder. Skips hidden entries and `node_modules`. Follows links but enters each folder once,
 * which breaks link cycles.
 * @throws Error of the file system if the folder itself cannot be read
 */
export async function scanFolder(root: string, recursive: boolean): Promise<FolderScan> {
  const scan = { photos: [] as string[], skipped: [] as Skipped[], unreadable: [] as Unreadable[] };
  const visitedFolders = new Set<string>();

  const visitFolder = async (folder: string): Promise<void> => {
    const real = await realpath(join(root, folder));
    if (visitedFolders.has(real)) return;
    visitedFolders.add(real);
    for (const name of (await readdir(real)).sort(comparePaths)) {
      if (name.startsWith('.') || name === 'node_modules') continue;
      await visitEntry(folder === '' ? name : `${folder}/${name}`);
    }
  };
  const visitEntry = async (path: string): Promise<void> => {
    const found = await stat(join(root, path)).catch(describeDeadEntry);
    if ('reason' in found) {
      if (hasPhotoExtension(path)) scan.unreadable.push({ path, ...found });
    } else if (found.isDirectory()) {
      if (!recursive) return;
      await visitFolder(path).catch((error: unknown) =>
        scan.unreadable.push({ path, reason: describeFsError(error), needed: 'a folder that can be read' }),
      );
    } else if (found.isFile()) {
      const classified = await classifyFile(join(root, path));
      if (classified?.photo === true) scan.photos.push(path);
      else if (classified !== null) scan.skipped.push({ path, found: classified.found });
    }
  };

  await visitFolder('');
  scan.photos.sort(comparePaths);
  for (const list of [scan.skipped, scan.unreadable]) list.sort((a, b) => comparePaths(a.path, b.path));
  return scan;
}

/** Describes a listed entry that cannot be opened; Node garbles a name that is not UTF-8. */
function describeDeadEntry(error: unknown): Omit<Unreadable, 'path'> {
  const { code, path = '' } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT') return { reason: describeFsError(error), needed: 'a photo behind it' };
  return path.includes('\uFFFD')
    ? { reason: 'a name that is not UTF-8', needed: 'another name' }
    : { reason: 'a link that leads nowhere', needed: 'a photo behind it' };
}
