import type { Affine } from '../../../src/domain/compare/registration.ts';
import type { Box } from '../../../src/domain/geometry.ts';
import type { RgbImage } from '../../../src/domain/photo.ts';
import { createRandom } from '../../../src/lib/random.ts';

/** Darkest gray of a texture; what is planted is darker. */
export const DARKEST = 40;

/** A gray picture of blots at random places, as rich in corners as a car's lamps and edges. */
export function drawTexture(width: number, height: number, seed: number): RgbImage {
  const random = createRandom(seed);
  const gray = new Float64Array(width * height).fill(120);
  for (let blot = 0; blot < 700; blot++) {
    const [cx, cy, r] = [random() * width, random() * height, 3 + random() * 14];
    const by = (random() - 0.5) * 160;
    const square = random() < 0.6;
    for (let y = Math.max(0, Math.floor(cy - r)); y < Math.min(height, cy + r); y++)
      for (let x = Math.max(0, Math.floor(cx - r)); x < Math.min(width, cx + r); x++)
        if (square || Math.hypot(x - cx, y - cy) < r) (gray[y * width + x] as number) += by;
  }
  return toRgb(
    gray.map((value) => Math.max(DARKEST, value)),
    width,
    height,
  );
}

/** Returns the picture with a dark blot in `box`. */
export function plant(picture: RgbImage, box: Box): RgbImage {
  const data = picture.data.slice();
  for (let y = box.y; y < box.y + box.height; y++)
    for (let x = box.x; x < box.x + box.width; x++)
      data.fill(10, 3 * (y * picture.width + x), 3 * (y * picture.width + x) + 3);
  return { ...picture, data };
}

/** Returns the picture seen through `model`, which maps it into the new one, `by` times as bright. */
export function retake({ data, width, height }: RgbImage, model: Affine, by: number): RgbImage {
  const [a, b, c, d, e, f] = model;
  const area = a * e - b * d;
  const gray = new Float64Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sourceX = Math.min(width - 2, Math.max(0, (e * (x - c) - b * (y - f)) / area));
      const sourceY = Math.min(height - 2, Math.max(0, (a * (y - f) - d * (x - c)) / area));
      const at = 3 * (Math.floor(sourceY) * width + Math.floor(sourceX));
      const [right, down] = [sourceX % 1, sourceY % 1];
      const mix = (from: number) => (data[from] as number) * (1 - right) + (data[from + 3] as number) * right;
      const [upper, lower] = [mix(at), mix(at + 3 * width)];
      gray[y * width + x] = by * (upper * (1 - down) + lower * down);
    }
  }
  return toRgb(gray, width, height);
}

function toRgb(gray: Float64Array, width: number, height: number): RgbImage {
  const data = new Uint8Array(3 * width * height);
  for (let at = 0; at < data.length; at++)
    data[at] = Math.min(255, Math.max(0, gray[Math.floor(at / 3)] as number));
  return { data, width, height };
}
