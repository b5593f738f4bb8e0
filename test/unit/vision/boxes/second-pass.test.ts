import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Box } from '../../../../src/domain/geometry.ts';
import { listSecondPassRegions } from '../../../../src/vision/boxes/second-pass.ts';

const raster = { width: 1600, height: 1200 };
const input = { width: 400, height: 400 };
const both = { vehicle: true, maxTilesPerSide: 2, onlyWholeVehicles: false };

describe('listSecondPassRegions', () => {
  it('cuts out a small vehicle with a margin, and tiles of it', () => {
    const regions = listSecondPassRegions(raster, { x: 400, y: 400, width: 800, height: 400 }, input, both);
    expect(regions).toEqual([
      { x: 352, y: 376, width: 896, height: 448 },
      { x: 352, y: 376, width: 512, height: 448 },
      { x: 736, y: 376, width: 512, height: 448 },
    ]);
  });

  it('does not look again at a vehicle that fills the photo, but at its tiles', () => {
    const regions = listSecondPassRegions(raster, { x: 50, y: 50, width: 1500, height: 1100 }, input, both);
    expect(regions).toHaveLength(4);
    expect(regions[0]).toEqual({ x: 0, y: 0, width: 915, height: 686 });
  });

  it('takes the whole photo where no vehicle was seen', () => {
    expect(listSecondPassRegions(raster, undefined, input, both)).toHaveLength(4);
  });

  it('has nothing to gain from a small photo', () => {
    expect(listSecondPassRegions({ width: 500, height: 500 }, undefined, input, both)).toEqual([]);
  });

  it.each([
    [{ vehicle: false, maxTilesPerSide: 0, onlyWholeVehicles: false }, 0],
    [{ vehicle: true, maxTilesPerSide: 0, onlyWholeVehicles: false }, 1],
    [{ vehicle: false, maxTilesPerSide: 2, onlyWholeVehicles: false }, 2],
    [{ vehicle: true, maxTilesPerSide: 3, onlyWholeVehicles: false }, 3],
  ])('does what the plan %j says', (plan, count) => {
    expect(
      listSecondPassRegions(raster, { x: 400, y: 400, width: 800, height: 400 }, input, plan),
    ).toHaveLength(count);
  });

  const onlyWhole = { ...both, onlyWholeVehicles: true };
  it.each<[string, Box | undefined, number]>([
    ['a vehicle in the middle', { x: 400, y: 400, width: 800, height: 400 }, 3],
    ['a vehicle that two sides cut', { x: 0, y: 10, width: 1200, height: 900 }, 4],
    ['a vehicle that three sides cut', { x: 10, y: 10, width: 1580, height: 900 }, 0],
    ['a panel that fills the photo', { x: 0, y: 0, width: 1600, height: 1200 }, 0],
    ['no vehicle', undefined, 0],
  ])('of whole vehicles only: %s', (_, vehicle, count) => {
    expect(listSecondPassRegions(raster, vehicle, input, onlyWhole)).toHaveLength(count);
  });

  it('stays inside the raster, and its tiles leave no gap in the vehicle', () => {
    const side = fc.integer({ min: 1, max: 2000 });
    fc.assert(
      fc.property(side, side, side, side, side, side, (width, height, x, y, w, h) => {
        const photo = { width, height };
        const vehicle: Box = { x: x % width, y: y % height, width: w, height: h };
        const regions = listSecondPassRegions(photo, vehicle, input, {
          vehicle: false,
          maxTilesPerSide: 3,
          onlyWholeVehicles: false,
        });
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
