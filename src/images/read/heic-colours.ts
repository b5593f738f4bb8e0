import { crc32, deflateSync } from 'node:zlib';
import { openImage } from '../sharp.ts';
import type { RgbaPixels } from './raster.ts';

/** Length of a PNG's signature and its header chunk: what comes before the place of a colour profile. */
const AFTER_HEADER = 33;

/**
 * Converts HEIC pixels to sRGB. libheif returns them as they are stored, which on many phones is Display P3; libvips
 * knows profiles, but accepts none with bare pixels, so they are passed to it as a PNG that has one. A profile that
 * libvips cannot use leaves the pixels as they are.
 */
export async function toSrgb(pixels: RgbaPixels, profile: Uint8Array): Promise<RgbaPixels> {
  const { rgba, width, height } = pixels;
  try {
    const bare = await openImage(rgba, { raw: { width, height, channels: 4 } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const tagged = Buffer.concat([
      bare.subarray(0, AFTER_HEADER),
      makeProfileChunk(profile),
      bare.subarray(AFTER_HEADER),
    ]);
    const converted = await openImage(tagged, { limitInputPixels: false })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer();
    return { rgba: converted, width, height };
  } catch {
    return pixels;
  }
}

/** Returns a PNG's `iCCP` chunk (PNG specification, 11.3.2.3). */
function makeProfileChunk(profile: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPphoto\0\0', 'latin1'), deflateSync(profile)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length - 4);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
