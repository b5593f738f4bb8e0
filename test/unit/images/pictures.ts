import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** Width and height of the drawn pictures: just over what the reader asks for. */
export const WIDTH = 1296;
export const HEIGHT = 736;

const STROKES = Array.from({ length: 400 }, (_, i) => {
  const at = [(i * 137) % WIDTH, 210 + ((i * 89) % 520)];
  const to = [((i * 53) % 61) - 30, ((i * 71) % 61) - 30];
  return `<path d="M${at} l${to}" stroke="#${['111', 'eee', '765'][i % 3]}" stroke-width="2"/>`;
});
const PICTURE = await sharp(
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs><linearGradient id="g"><stop offset="0" stop-color="#246"/><stop offset="1" stop-color="#ca6"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/>${STROKES.join('')}<rect width="300" height="200" fill="#e02020"/><circle cx="900" cy="500" r="120" fill="#20a040"/></svg>`),
)
  .flatten()
  .raw()
  .toBuffer();

/** A gradient with a red rectangle in the top left corner, a green disc right of the middle and strokes all over. */
export function drawn(width = WIDTH, height = HEIGHT): Sharp {
  const picture = sharp(PICTURE, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
  return width === WIDTH && height === HEIGHT ? picture : picture.resize(width, height, { fit: 'fill' });
}

export function findFixture(name: string): string {
  return fileURLToPath(new URL(`../../../fixtures/photos/${name}`, import.meta.url));
}

/** The color of one pixel of a raster. */
export function readPixel(
  image: { data: Uint8Array; width: number },
  x: number,
  y: number,
): readonly [number, number, number] {
  const at = (y * image.width + x) * 3;
  return [image.data[at] ?? -1, image.data[at + 1] ?? -1, image.data[at + 2] ?? -1];
}

/** A chunk of a PNG: length, type, data and checksum. */
export function makeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
