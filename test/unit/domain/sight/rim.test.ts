import { describe, expect, test } from 'vitest';
import { measureRimContrast } from '../../../../src/domain/sight/rim.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';

const SIDE = 40;

/** Draws an upright wheel, its rim and tire in grays of 0 to 255, in a part map of `SIDE` cells. */
function measure(rim: number, tire: number, { radius = 10, width = 1, left = SIDE / 2 } = {}) {
  const distance = (cell: number) => {
    const x = (cell % SIDE) + 0.5 - left;
    return Math.hypot(x / width, Math.floor(cell / SIDE) + 0.5 - SIDE / 2) / radius;
  };
  const cells = Array.from({ length: SIDE * SIDE }, (_, cell) => distance(cell));
  const rows = Array.from({ length: SIDE }, (_, y) =>
    cells
      .slice(y * SIDE, (y + 1) * SIDE)
      .map((at) => (at < 1 ? 'O' : 'D'))
      .join(''),
  );
  const data = Uint8Array.from({ length: 3 * SIDE * SIDE }, (_, i) =>
    (cells[Math.floor(i / 3)] as number) < 0.65 ? rim : tire,
  );
  return measureRimContrast({ data, width: SIDE, height: SIDE }, partGrid(...rows));
}

describe('the rim of a wheel', () => {
  test.each([
    ['silver', 180, 40],
    ['black', 45, 40],
    ['black, in a dusty tire', 30, 90],
  ])('%s: its lightness over that of the tire', (_, rim, tire) => {
    const lightness = (gray: number) =>
      116 * Math.cbrt(gray > 10.3 ? ((gray / 255 + 0.055) / 1.055) ** 2.4 : gray / 3295) - 16;
    expect(measure(rim, tire)).toBeCloseTo(lightness(rim) - lightness(tire), 1);
  });

  test.each([
    ['small', { radius: 7 }],
    ['turned away', { width: 0.5 }],
    ['cut by the edge of the photo', { left: 9 }],
  ])('a wheel that is %s says nothing', (_, seen) => {
    expect(measure(180, 40, seen)).toBeUndefined();
  });
});
