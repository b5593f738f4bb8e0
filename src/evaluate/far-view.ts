import type { Box } from '../domain/geometry.ts';
import type { RgbImage } from '../domain/photo.ts';

/**
 * Returns where a picture goes in a canvas `factor` times as wide and high: somewhere in the middle half, the same
 * place for the same index.
 */
export function placeInFarView(
  picture: { readonly width: number; readonly height: number },
  factor: number,
  index: number,
): Box {
  const free = { x: picture.width * (factor - 1), y: picture.height * (factor - 1) };
  // fractional parts of multiples of the golden ratio and of the root of two are spread evenly
  const [u, v] = [(index * 0.618034) % 1, (index * 0.414214) % 1];
  return {
    x: Math.round(free.x * (0.25 + 0.5 * u)),
    y: Math.round(free.y * (0.25 + 0.5 * v)),
    width: picture.width,
    height: picture.height,
  };
}

/** Copies a picture into a canvas of RGB pixels, which it changes, with its top-left corner at `place`. */
export function paste(picture: RgbImage, canvas: RgbImage, place: Pick<Box, 'x' | 'y'>): void {
  for (let row = 0; row < picture.height; row++) {
    const line = picture.data.subarray(row * picture.width * 3, (row + 1) * picture.width * 3);
    canvas.data.set(line, ((place.y + row) * canvas.width + place.x) * 3);
  }
}
