import type { Size } from '../../domain/geometry.ts';
import type { PhotoFormat } from '../../domain/photo.ts';
import { openImage } from '../sharp.ts';

/** What the header of a photo claims, before any pixel is decoded. */
interface PhotoHeader {
  readonly format: string;
  /** Set for HEIF containers: `hevc`, `av1`, … */
  readonly compression: string | undefined;
  /** Upright size. */
  readonly size: Size;
  /** ICC profile of the pixels, where the file has one. */
  readonly profile: Uint8Array | undefined;
}

/**
 * Reads the header only; no limit applies here, so that a rejection can name the size that was claimed.
 * @throws Error of libvips when there is no intact header
 */
export async function readHeader(bytes: Uint8Array): Promise<PhotoHeader> {
  const meta = await openImage(bytes, { limitInputPixels: false }).metadata();
  return { format: meta.format, compression: meta.compression, size: meta.autoOrient, profile: meta.icc };
}

/** Returns what a container turned out to hold if it is not the format its first bytes promised. */
export function describeMismatch(header: PhotoHeader, promised: PhotoFormat): string | undefined {
  if (promised === 'heic') {
    if (header.format !== 'heif') return `a file that libvips reads as  ${header.format}`;
    if (header.compression === 'av1') return 'an AVIF image';
    if (header.compression !== 'hevc') return `a HEIF file with ${header.compression ?? 'unknown'} content`;
    return undefined;
  }
  return header.format === promised ? undefined : `a file that libvips reads as  ${header.format}`;
}
