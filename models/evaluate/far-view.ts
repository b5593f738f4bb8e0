import type { Box } from '../../src/domain/geometry.ts';
import type { RgbImage, SizedRaster } from '../../src/domain/photo.ts';
import type { Resize } from '../../src/vision/model-calls.ts';

/**
 * Returns the position of a picture in a canvas `factor` times as wide and high: within the middle half, determined by
 * the index.
 */
export function placeInFarView(
  picture: { readonly width: number; readonly height: number },
  factor: number,
  index: number,
): Box {
  const free = { x: picture.width * (factor - 1), y: picture.height * (factor - 1) };
  // fractional parts of multiples of the golden ratio and of the root of two are evenly distributed
  const [u, v] = [(index * 0.618034) % 1, (index * 0.414214) % 1];
  return {
    x: Math.round(free.x * (0.25 + 0.5 * u)),
    y: Math.round(free.y * (0.25 + 0.5 * v)),
    width: picture.width,
    height: picture.height,
  };
}

/** Copies a picture into a canvas of RGB pixels in place, with its top-left corner at `place`. */
export function paste(picture: RgbImage, canvas: RgbImage, place: Pick<Box, 'x' | 'y'>): void {
  for (let row = 0; row < picture.height; row++) {
    const line = picture.data.subarray(row * picture.width * 3, (row + 1) * picture.width * 3);
    canvas.data.set(line, ((place.y + row) * canvas.width + place.x) * 3);
  }
}

/**
 * Creates a function that places a picture in a scene `factor` times as wide and high; the scenes are clean photos in
 * turn.
 */
export function createFarView(
  clean: readonly string[],
  factor: number,
  resize: Resize,
  decode: (path: string) => Promise<SizedRaster>,
) {
  const backdrops = new Map<string, Promise<SizedRaster>>();
  return async ({ raster }: SizedRaster, index: number): Promise<{ view: SizedRaster; place: Box }> => {
    const backdrop = clean[index % clean.length] ?? '';
    const scene = backdrops.get(backdrop) ?? decode(backdrop);
    backdrops.set(backdrop, scene);
    const { raster: behind } = await scene;
    const size = { width: Math.round(raster.width * factor), height: Math.round(raster.height * factor) };
    const background = await resize(behind, { x: 0, y: 0, width: behind.width, height: behind.height }, size);
    const canvas = { ...size, data: new Uint8Array(background.data) };
    const place = placeInFarView(raster, factor, index);
    paste(raster, canvas, place);
    return { view: { raster: canvas, size }, place };
  };
}
