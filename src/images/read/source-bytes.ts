import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { PhotoSource } from '../../engine/request.ts';
import { describeFsError } from './fs-error.ts';
import type { PhotoRules } from './photo-rules.ts';
import { PhotoRejectedError } from './rejection.ts';
import { withFile } from './with-file.ts';

/** Returns the photo's name for messages. */
export const nameSource = (source: PhotoSource): string =>
  source.kind === 'file' ? (source.name ?? source.path) : source.name;

/**
 * Reads a photo of 1 to `rules.maxBytes` bytes. Only regular files are opened, because a named pipe or device could
 * block the reader.
 * @throws PhotoRejectedError if the file is empty, too large or cannot be read
 */
export async function loadBytes(source: PhotoSource, rules: PhotoRules): Promise<Buffer> {
  const name = nameSource(source);
  if (source.kind !== 'file') {
    const bytes = source.kind === 'bytes' ? source.bytes : await source.read();
    checkLength(name, bytes.byteLength, rules);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  try {
    checkRegular(name, await stat(source.path), rules);
    return await withFile(source.path, async (file) => {
      // The path may lead to another file since the check.
      checkRegular(name, await file.stat(), rules);
      const bytes = await file.readFile();
      // The file may have grown or shrunk since.
      checkLength(name, bytes.length, rules);
      return bytes;
    });
  } catch (error) {
    if (error instanceof PhotoRejectedError) throw error;
    throw new PhotoRejectedError(name, 'IMAGE_UNREADABLE', describeFsError(error), 'a file that can be read');
  }
}

function checkRegular(name: string, stats: Stats, rules: PhotoRules): void {
  if (!stats.isFile()) {
    throw new PhotoRejectedError(name, 'IMAGE_UNREADABLE', nameFileType(stats), 'a photo file');
  }
  checkLength(name, stats.size, rules);
}

function checkLength(name: string, length: number, rules: PhotoRules): void {
  if (length === 0) {
    throw new PhotoRejectedError(name, 'IMAGE_UNREADABLE', 'an empty file (0 bytes)', 'a whole photo');
  }
  if (length > rules.maxBytes) {
    const needed = `at most ${formatMegabytes(rules.maxBytes)}`;
    throw new PhotoRejectedError(name, 'IMAGE_TOO_LARGE', formatMegabytes(length), needed);
  }
}

function nameFileType(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

// Rounds up, so a file just over the limit is never described as "10.0 MB, at most 10.0 MB".
const formatMegabytes = (bytes: number): string =>
  `${(Math.ceil((bytes / (1024 * 1024)) * 10) / 10).toFixed(1)} MB`;
