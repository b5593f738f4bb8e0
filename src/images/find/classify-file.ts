import { basename, extname } from 'node:path';
import { isPicture, SNIFF_BYTES, sniffFormat } from '../read/format.ts';
import { withFile } from '../read/with-file.ts';
import { DRAWN_COPY, isDrawnCopy } from './drawn-copy.ts';
import { hasPhotoExtension, isNamedAfterPhoto } from './extension.ts';

/** Extensions of image and video formats that cameras leave next to photos; reported when skipped. */
const OTHER_MEDIA_EXTENSIONS: readonly string[] =
  '.webp .avif .gif .tif .tiff .bmp .svg .jxl .jp2 .dng .cr2 .cr3 .nef .arw .orf .rw2 .raf .mov .mp4'.split(
    ' ',
  );

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
  const isNamedOther = OTHER_MEDIA_EXTENSIONS.includes(extname(path).toLowerCase());
  if (sniffed.kind === 'other' && (isNamedOther || isPicture(sniffed)))
    return { photo: false, found: sniffed.name };
  if (isNamedOther) return { photo: false, found: 'an unknown format' };
  return isNamedAfterPhoto(basename(path)) ? { photo: true } : null;
}

/** Reads the first bytes of a file; null if it cannot be read. */
export async function readHead(path: string): Promise<Uint8Array | null> {
  try {
    const { buffer, bytesRead } = await withFile(path, (file) => file.read(Buffer.alloc(SNIFF_BYTES)));
    return buffer.subarray(0, bytesRead);
  } catch {
    return null;
  }
}
