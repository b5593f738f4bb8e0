import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Box } from '../../../../src/domain/geometry.ts';
import { listTiles } from '../../../../src/vision/boxes/tiles.ts';

const raster = { width: 1600, height: 1200 };
const input = { width: 400, height: 400 };

describe('listTiles', () => {
  it('cuts a small vehicle with a margin into tiles', () => {
    const regions = listTiles(raster, { x: 400, y: 400, width: 800, height: 400 }, input);
    expect(regions).toEqual([
      { x: 352, y: 376, width: 512, height: 448 },
      { x: 736, y: 376, width: 512, height: 448 },
    ]);
  });

  it('cuts a vehicle that fills the photo into four', () => {
    const regions = listTiles(raster, { x: 50, y: 50, width: 1500, height: 1100 }, input);
    expect(regions).toHaveLength(4);
    expect(regions[0]).toEqual({ x: 0, y: 0, width: 915, height: 686 });
  });

  it('takes the whole photo where no vehicle was seen', () => {
    expect(listTiles(raster, undefined, input)).toHaveLength(4);
  });

  it('has nothing to gain from a small photo', () => {
    expect(listTiles({ width: 500, height: 500 }, undefined, input)).toEqual([]);
  });

  it('stays inside the raster, and its tiles leave no gap in the vehicle', () => {
    const side = fc.integer({ min: 1, max: 2000 });
    fc.assert(
      fc.property(side, side, side, side, side, side, (width, height, x, y, w, h) => {
        const photo = { width, height };
        const vehicle: Box = { x: x % width, y: y % height, width: w, height: h };
        const regions = listTiles(photo, vehicle, input);
        for (const region of regions) {
          expect(region.x >= 0 && region.y >= 0 && region.width > 0 && region.height > 0).toBe(true);
          expect(region.x + region.width <= width && region.y + region.height <= height).toBe(true);
        }
        const probe = (px: number, py: number) =>
          regions.some((r) => px >= r.x && px <= r.x + r.width && py >= r.y && py <= r.y + r.height);
        for (const share of regions.length === 0 ? [] : [0.01, 0.3, 0.5, 0.7, 0.99]) {
          const [px, py] = [vehicle.x + share * w, vehicle.y + (1 - share) * h];
          if (px < width && py < height) expect(probe(px, py)).toBe(true);
        }
      }),
    );
  });
});
