import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupByPaint, measurePaintColour, nameColour } from '../../../../src/domain/sight/paint.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';

const DOOR = partGrid(...Array(20).fill('D'.repeat(20)));

function painted(rgb: readonly [number, number, number]) {
  const data = Uint8Array.from({ length: 40 * 40 * 3 }, (_, i) => rgb[i % 3] as number);
  return measurePaintColour({ data, width: 40, height: 40 }, DOOR);
}

describe('the paint of a vehicle', () => {
  test.each([
    [[200, 30, 40], 'red'],
    [[40, 80, 190], 'blue'],
    [[40, 130, 60], 'green'],
    [[235, 235, 235], 'white or silver'],
    [[120, 122, 125], 'grey'],
    [[20, 20, 22], 'dark'],
  ] as const)('%j is %s', (rgb, name) => {
    const colour = painted([rgb[0], rgb[1], rgb[2]]);
    expect(nameColour(colour ? [colour] : [])).toBe(name);
  });

  test('too little paint has no color', () => {
    const data = new Uint8Array(12);
    expect(measurePaintColour({ data, width: 2, height: 2 }, partGrid('DD', 'DD'))).toBeNull();
  });
});

describe('photos by vehicle', () => {
  const [red, blue, grey] = [painted([200, 30, 40]), painted([40, 80, 190]), painted([120, 120, 120])];

  test('paints of other hues are other vehicles, the larger group first; without a color goes with it', () => {
    expect(groupByPaint([red, blue, blue, null, grey])).toEqual([[1, 2, 3], [0], [4]]);
  });

  test('a photo between two paints does not make them one', () => {
    const of = (a: number, b: number) => ({ lightness: 50, a, b });
    expect(groupByPaint([of(0, 0), of(0, 1), of(2, -17), of(0, -20)])).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(groupByPaint([of(0, 0), of(0, -6), of(0, -14)])).toEqual([[0, 1, 2]]);
  });

  test.each([
    ['a strong red in sun and shade', [76, 38], [62, 36], 1],
    ['white by the light of two rooms', [0, -4], [1, 3], 1],
    ['dark blue and white', [1, -16], [0, 2], 2],
    ['red and dark gray', [38, 18], [0, -2], 2],
  ] as const)('%s', (_, [a, b], [c, d], groups) => {
    const of = (one: number, other: number) => ({ lightness: 50, a: one, b: other });
    expect(groupByPaint([of(a, b), of(c, d)])).toHaveLength(groups);
  });

  test.each([
    ['white and black under one light', 55, -8, 2],
    ['white in sun and in shade, the wheels with it', 67, 40, 1],
  ])('%s', (_, one, other, groups) => {
    const of = (lightnessOverWheels: number, lightness: number) => ({
      lightness,
      a: 0,
      b: 1,
      lightnessOverWheels,
    });
    expect(groupByPaint([of(one, 70), of(one - 5, 60), of(other, 55)])).toHaveLength(groups);
  });

  test('the wheels tell a white car in the shade from a gray one', () => {
    const grid = partGrid(...Array(40).fill(`${'D'.repeat(10)}${'O'.repeat(10)}`));
    const photo = (paint: number, wheel: number) => {
      const data = Uint8Array.from({ length: 20 * 20 * 3 }, (_, i) =>
        Math.floor(i / 3) % 20 < 10 ? paint : wheel,
      );
      return measurePaintColour({ data, width: 20, height: 20 }, grid);
    };
    const named = [photo(150, 20), photo(150, 130)].map((one) => nameColour(one ? [one] : []));
    expect(named).toEqual(['white or silver', 'grey']);
  });

  test('light and shade are one vehicle', () => {
    expect(groupByPaint([painted([240, 240, 240]), painted([60, 60, 62]), grey])).toEqual([[0, 1, 2]]);
  });

  test('every photo is in one group, whatever the order', () => {
    const colours = fc.array(fc.constantFrom(red, blue, grey, null), { maxLength: 12 });
    fc.assert(
      fc.property(colours, (list) => {
        expect(
          groupByPaint(list)
            .flat()
            .toSorted((a, b) => a - b),
        ).toEqual(list.map((_, i) => i));
        expect(groupByPaint(list.toReversed()).length).toBe(groupByPaint(list).length);
      }),
    );
  });
});
