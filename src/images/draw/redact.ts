import { type Box, clampToPixels } from '../../domain/geometry.ts';
import type { RgbImage } from '../../domain/photo.ts';
import { openImage } from '../sharp.ts';

/** Number of cells along a redacted region's longer side; fewer than the seven or more characters of a plate. */
const REDACTED_CELLS = 6;

/**
 * Redacts regions (in pixels of the picture) irreversibly by reducing each to six colour cells along its longer side.
 */
export async function redactRegions(picture: RgbImage, boxes: readonly Box[]): Promise<RgbImage> {
  if (boxes.length === 0) return picture;
  const open = () =>
    openImage(picture.data, { raw: { width: picture.width, height: picture.height, channels: 3 } });
  const patches = await Promise.all(
    boxes.map(async (box) => {
      const { x: left, y: top, width, height } = clampToPixels(box, picture);
      const cell = Math.max(width, height) / REDACTED_CELLS;
      const cells = {
        width: Math.max(1, Math.round(width / cell)),
        height: Math.max(1, Math.round(height / cell)),
      };
      const coarse = await open()
        .extract({ left, top, width, height })
        .resize({ ...cells, fit: 'fill' })
        .raw()
        .toBuffer();
      const smooth = openImage(coarse, { raw: { ...cells, channels: 3 } });
      const input = await smooth.resize({ width, height, fit: 'fill' }).raw().toBuffer();
      return { left, top, input, raw: { width, height, channels: 3 as const } };
    }),
  );
  const data = await open().composite(patches).removeAlpha().raw().toBuffer();
  return { data, width: picture.width, height: picture.height };
}
