import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Appearance, groupByVehicle, measureAppearance } from '../../../../src/domain/sight/vehicles.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';

const SIDE = 48;
/** A vehicle with a wheel in the right half, and what lies around it above. */
const VIEW = partGrid(
  ...Array(SIDE / 2).fill('.'.repeat(SIDE)),
  ...Array(SIDE / 2).fill(`${'D'.repeat(SIDE - 12)}${'O'.repeat(12)}`),
);

type Color = readonly [number, number, number];

/** Draws a photo: a vehicle of one paint in front of one ground, both in light of a strength. */
function photo(paint: Color, ground: Color, light = 1): Appearance {
  const data = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % SIDE, Math.floor(i / 3 / SIDE)];
    const color = y < SIDE / 2 ? ground : x < SIDE - 12 ? paint : ([25, 25, 27] as const);
    return Math.min(255, light * (color[i % 3] as number));
  });
  return measureAppearance({ data, width: SIDE, height: SIDE }, VIEW);
}

const RED: Color = [200, 30, 40];
const BLUE: Color = [40, 80, 190];
const STONE: Color = [150, 140, 120];

describe('photos by vehicle', () => {
  const [red, blue] = [photo(RED, STONE), photo(BLUE, STONE)];
  const [white, dark] = [photo([225, 226, 228], STONE), photo([24, 26, 30], STONE)];

  /** The groups of photos by their indices: `014 23`. */
  const group = (photos: readonly (Appearance | null)[]) =>
    groupByVehicle(photos)
      .map((one) => one.join(''))
      .join(' ');

  test.each([
    ['one paint in one place', [red, red, red], '012'],
    ['sun and shade', [red, photo(RED, STONE, 0.7), red], '012'],
    ['other hues, the larger group first', [red, blue, blue], '12 0'],
    ['white and dark', [white, white, dark, dark], '01 23'],
    ['a photo that fits no other stays alone', [red, red, blue, white, white], '01 34 2'],
    ['a return to the first vehicle', [red, red, blue, blue, red], '014 23'],
    ['an inside photo goes with the photo before it', [red, blue, null, blue], '123 0'],
    ['an inside photo in front goes with the largest', [null, red, red, blue], '012 3'],
    ['without any vehicle, all are one group', [null, null], '01'],
    ['no photos', [], ''],
  ])('%s', (_, photos, groups) => {
    expect(group(photos)).toBe(groups);
  });

  const redInShade = photo(RED, [90, 130, 60], 0.3);
  test.each([
    ['the same but for a look-alike is one vehicle', [red, redInShade], ['B12345', 'B1234S'], 1],
    ['the next of a fleet leaves it to the paint: another', [red, white], ['B12345', 'B12346'], 2],
    ['the next of a fleet leaves it to the paint: the same', [white, white], ['B12345', 'B12346'], 1],
    ['other texts are other vehicles, however alike', [white, white], ['B12345', 'CD678'], 2],
    ['one text decides nothing', [white, white], ['B12345', undefined], 1],
  ] as const)('plates: %s', (_, photos, plates, groups) => {
    expect(groupByVehicle(photos.map((one, at) => ({ ...one, plate: plates[at] })))).toHaveLength(groups);
  });

  test('a plate without photos that fit keeps its vehicle whole', () => {
    expect(group([{ ...red, plate: 'AB 1' }, white, { ...blue, plate: 'AB 1' }])).toBe('02 1');
  });

  /** A white photo whose embedding has a cosine of 0.7 with others of its vehicle, and of -0.1 with those of the other. */
  const view = (vehicle: 0 | 1, at: number): Appearance => {
    const embedding = Array<number>(8).fill(0);
    embedding[at + 2] = Math.sqrt(0.3);
    embedding[0] = Math.sqrt(0.7) * (vehicle === 0 ? 1 : -1 / 7);
    embedding[1] = vehicle === 0 ? 0 : Math.sqrt(0.7 - (embedding[0] as number) ** 2);
    return { ...white, embedding };
  };

  test('the embedding tells two white vehicles apart, photographed one after the other or in no order', () => {
    const [a, b, c] = [view(0, 0), view(0, 1), view(0, 2)];
    const [d, e, f] = [view(1, 3), view(1, 4), view(1, 5)];
    expect(group([a, b, c, d, e, f])).toBe('012 345');
    expect(group([a, d, b, e, c, f])).toBe('024 135');
  });

  /** Two vehicles that are joined as neighbors only, two photos of each. */
  const alike = (facts: readonly Partial<Appearance>[]) =>
    facts.map((fact, at) => {
      const embedding = [0, 1, 2, 3, 4, 5].map((axis) =>
        axis === Math.floor(at / 2) ? Math.sqrt(0.7) : axis === at + 2 ? Math.sqrt(0.3) : 0,
      );
      return { ...white, embedding, ...fact };
    });

  test.each([
    ['rims: silver and black are two vehicles', [{ rimContrast: 42 }, {}, { rimContrast: -15 }, {}], 2],
    ['rims: a shadow on one changes nothing', [{ rimContrast: 48 }, {}, { rimContrast: 22 }, {}], 1],
    ['rims: one tells nothing', [{}, {}, { rimContrast: -15 }, {}], 1],
    ['a pause', [{}, { takenAt: '2026-11-10T10:37:00' }, { takenAt: '2026-11-10T11:14:00Z' }, {}], 2],
    [
      'no pause',
      [{}, { takenAt: '2026-11-10T23:59:00+01:00' }, { takenAt: '2026-11-11T00:14:00+01:00' }, {}],
      1,
    ],
    ['one time tells nothing', [{}, { takenAt: '2026-11-10T10:37:00' }, {}, {}], 1],
  ])('%s', (_, facts, groups) => {
    expect(groupByVehicle(alike(facts))).toHaveLength(groups);
  });

  test('photos that all have a time follow each other by it, not by their names', () => {
    const [front, side] = [
      [1, 0],
      [-0.3, Math.sqrt(0.91)],
    ].map((embedding) => ({ ...white, embedding }));
    const timed = [front, blue, side].map((one, at) => {
      return { ...white, ...one, takenAt: `2026-11-10T10:0${[0, 2, 1][at]}:00` };
    });
    expect(group(timed)).toBe('02 1');
    expect(group(timed.map((one, at) => (at === 2 ? { ...one, takenAt: undefined } : one)))).toBe('0 1 2');
  });

  test('two views of a vehicle that differ much stay together, however often each is repeated', () => {
    const [front, side] = [view(0, 0), view(1, 3)];
    expect(groupByVehicle([front, side])).toHaveLength(1);
    expect(groupByVehicle([front, front, front, front, side, side, side, side])).toHaveLength(1);
  });

  test('equal plates join photos that are no neighbors in a series', () => {
    const [one, other] = [view(0, 0), view(1, 3)];
    const photos = [{ ...one, plate: 'AB 1' }, one, one, other, other, { ...other, plate: 'AB 1' }];
    expect(groupByVehicle(photos)).toHaveLength(1);
  });

  test('the embedding is that of the part map', () => {
    const raster = { data: new Uint8Array(3 * SIDE * SIDE), width: SIDE, height: SIDE };
    expect(measureAppearance(raster, { ...VIEW, embedding: [0.6, 0.8] }).embedding).toEqual([0.6, 0.8]);
  });

  test('every photo is in one group', () => {
    const photos = fc.array(fc.constantFrom(red, blue, white, dark, null), { maxLength: 12 });
    fc.assert(
      fc.property(photos, (list) => {
        const grouped = groupByVehicle(list).flat();
        expect(grouped.toSorted((a, b) => a - b)).toEqual([...list.keys()]);
      }),
    );
  });

  test('any number of photos of one vehicle are one group', () => {
    const inLight = [0.8, 0.85, 0.9, 0.95, 1].map((light) => photo(BLUE, STONE, light));
    const series = fc.array(fc.constantFrom(...inLight), { minLength: 1, maxLength: 15 });
    fc.assert(fc.property(series, (list) => void expect(groupByVehicle(list)).toHaveLength(1)));
  });
});
