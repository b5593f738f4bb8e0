import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Box, Size } from '../../../../src/domain/geometry.ts';
import { listTiles } from '../../../../src/vision/boxes/tiles.ts';

const raster = { width: 1600, height: 1200 };
const input = { width: 400, height: 400 };
const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const HALVES = [352, 736].map((x) => box(x, 376, 512, 448));
const QUARTERS = [0, 514].flatMap((y) => [0, 685].map((x) => box(x, y, 915, 686)));

it.each<[string, Size, Box | undefined, Box[]]>([
  ['a small vehicle, with a margin, into two', raster, box(400, 400, 800, 400), HALVES],
  ['a vehicle that fills the photo into four', raster, box(50, 50, 1500, 1100), QUARTERS],
  ['the whole photo where no vehicle was seen', raster, undefined, QUARTERS],
  ['no small photo, which has nothing to gain', { width: 500, height: 500 }, undefined, []],
])('cuts %s', (_, photo, vehicle, tiles) => {
  expect(listTiles(photo, vehicle, input)).toEqual(tiles);
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
