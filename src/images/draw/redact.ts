import { clampToPixels } from '../../domain/geometry.ts';
import type { RgbImage } from '../../domain/photo.ts';
import { boundsOf, type Quad } from '../../domain/quad.ts';
import { openPixels } from '../sharp.ts';

/** Number of cells along a redacted region's longer side: less than two per character of the shortest plate, four. */
const REDACTED_CELLS = 6;

/**
 * Redacts quadrilaterals (in pixels of the picture) irreversibly by reducing each to six color cells along its longer
 * side. Pixels of its bounding box outside the quadrilateral stay unchanged.
 */
export async function redactRegions(picture: RgbImage, quads: readonly Quad[]): Promise<RgbImage> {
  if (quads.length === 0) return picture;
  const patches = await Promise.all(
    quads.map(async (quad) => {
      const { x: left, y: top, width, height } = clampToPixels(boundsOf(quad), picture);
      const cell = Math.max(width, height) / REDACTED_CELLS;
      const cells = {
        width: Math.max(1, Math.round(width / cell)),
        height: Math.max(1, Math.round(height / cell)),
      };
      const coarse = await openPixels(picture)
        .extract({ left, top, width, height })
        .resize({ ...cells, fit: 'fill' })
        .raw()
        .toBuffer();
      const smooth = openPixels({ data: coarse, ...cells });
      const points = quad.map(({ x, y }) => `${x - left},${y - top}`).join(' ');
      const mask = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><polygon points="${points}"/></svg>`;
      const input = await smooth
        .resize({ width, height, fit: 'fill' })
        .ensureAlpha()
        .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
        .raw()
        .toBuffer();
      return { left, top, input, raw: { width, height, channels: 4 as const } };
    }),
  );
  const data = await openPixels(picture).composite(patches).removeAlpha().raw().toBuffer();
  return { ...picture, data };
}
