import { constants, type Dirent } from 'node:fs';
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
  readonly skipped: readonly { readonly path: string; readonly found: string }[];
  /** Unreadable subfolders, and broken links with a photo's extension. */
  readonly unreadable: readonly Unreadable[];
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
/** Names that programs make of a photo's, such as `IMG_1.JPG (1)`, `a.jpeg?dl=1` and `a.jpg_large`. */
const PHOTO_NAME = /\.(jpe?g|jpe|jfif|png|heic|heif|hif|mpo)(?![a-z0-9])/i;

/** A file of a folder: a photo, or a picture that is not inspected, with its type. */
type Classified = { readonly photo: true } | { readonly photo: false; readonly found: string };

/**
 * Classifies a file by its first bytes; the name decides only where they say nothing. Null if it is neither a photo nor
 * another picture. A file named like a photo is one, so that the reader says why it cannot be used.
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
  const photos: string[] = [];
  const skipped: { path: string; found: string }[] = [];
  const unreadable: Unreadable[] = [];
  const visitedFolders = new Set<string>([await realpath(root)]);

  const visitFile = async (relative: string): Promise<void> => {
    const classified = await classifyFile(join(root, relative));
    if (classified?.photo === true) photos.push(relative);
    else if (classified !== null) skipped.push({ path: relative, found: classified.found });
  };
  const visitFolder = async (relative: string): Promise<void> => {
    if (!recursive) return;
    try {
      const real = await realpath(join(root, relative));
      if (visitedFolders.has(real)) return;
      visitedFolders.add(real);
      await visitEntries(relative, await readdir(join(root, relative), { withFileTypes: true }));
    } catch (error) {
      unreadable.push({
        path: relative,
        reason: describeFsError(error),
        needed: 'a folder that can be read',
      });
    }
  };
  const visitEntries = async (folder: string, entries: readonly Dirent[]): Promise<void> => {
    for (const entry of entries.toSorted((a, b) => comparePaths(a.name, b.name))) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const kind = entry.isSymbolicLink()
        ? await readTargetKind(join(root, relative))
        : readKindOfEntry(entry);
      if (kind === 'nothing' && hasPhotoExtension(relative))
        unreadable.push({ path: relative, reason: 'a link that leads nowhere', needed: 'a photo behind it' });
      if (kind === 'file' && (await isMisread(join(root, relative))))
        unreadable.push({ path: relative, reason: 'a name that is not UTF-8', needed: 'another name' });
      else if (kind === 'file') await visitFile(relative);
      else if (kind === 'folder') await visitFolder(relative);
    }
  };

  await visitEntries('', await readdir(root, { withFileTypes: true }));
  photos.sort(comparePaths);
  for (const list of [skipped, unreadable]) list.sort((a, b) => comparePaths(a.path, b.path));
  return { photos, skipped, unreadable };
}

type Kind = 'file' | 'folder' | 'other' | 'nothing';

function readKindOfEntry(entry: Pick<Dirent, 'isFile' | 'isDirectory'>): Kind {
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
}

/** Returns true if Node misread a name that is not UTF-8: invalid bytes become U+FFFD, and no such file exists. */
async function isMisread(path: string): Promise<boolean> {
  return path.includes('\uFFFD') && (await readTargetKind(path)) === 'nothing';
}

async function readTargetKind(path: string): Promise<Kind> {
  try {
    return readKindOfEntry(await stat(path));
  } catch {
    return 'nothing';
  }
}
