import { describe, expect, test } from 'vitest';
import { measurePaintColor, nameColor } from '../../../../src/domain/sight/paint.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';

const DOOR = partGrid(...Array(20).fill('D'.repeat(20)));

const SIZE = { width: 40, height: 40 };

describe('the paint of a vehicle', () => {
  test.each([
    [[200, 30, 40], 'red'],
    [[40, 80, 190], 'blue'],
    [[0, 0, 255], 'blue'],
    [[40, 130, 60], 'green'],
    [[235, 235, 235], 'white or silver'],
    [[120, 122, 125], 'gray'],
    [[20, 20, 22], 'dark'],
  ] as const)('%j is %s', (rgb, name) => {
    const data = Uint8Array.from({ length: 40 * 40 * 3 }, (_, i) => rgb[i % 3] as number);
    const color = measurePaintColor({ data, ...SIZE }, DOOR);
    expect(nameColor(color ? [color] : [])).toBe(name);
  });

  test('too little paint has no color', () => {
    const data = new Uint8Array(12);
    expect(measurePaintColor({ data, width: 2, height: 2 }, partGrid('DD', 'DD'))).toBeNull();
  });

  test('the wheels tell a white car in the shade from a gray one', () => {
    const grid = partGrid(...Array(40).fill(`${'D'.repeat(10)}${'O'.repeat(10)}`));
    const photo = (paint: number, wheel: number) => {
      const data = Uint8Array.from({ length: 20 * 20 * 3 }, (_, i) =>
        Math.floor(i / 3) % 20 < 10 ? paint : wheel,
      );
      return measurePaintColor({ data, width: 20, height: 20 }, grid);
    };
    const named = [photo(150, 20), photo(150, 130)].map((one) => nameColor(one ? [one] : []));
    expect(named).toEqual(['white or silver', 'gray']);
  });
});
