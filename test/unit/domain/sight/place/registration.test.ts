// @module-tag slow: key points of pictures are matched
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type RgbImage, toGrey } from '../../../../../src/domain/photo.ts';
import { findKeyPoints } from '../../../../../src/domain/sight/place/keypoints.ts';
import { compareCrops } from '../../../../../src/domain/sight/place/likeness.ts';
import { predictByParts } from '../../../../../src/domain/sight/place/place-by-parts.ts';
import {
  type Affine,
  GUIDED_CRITERIA,
  isCopy,
  mapPoint,
  matchGuided,
  matchKeyPoints,
  registerCoarsely,
  registerPlace,
  registerView,
  swapMatches,
} from '../../../../../src/domain/sight/place/registration.ts';
import { drawTexture, plant, retake } from '../../../../helpers/photos/textured.ts';

const SIZE = { width: 640, height: 480 };
const original = drawTexture(SIZE.width, SIZE.height, 1);
const POINT = { width: 0, height: 0 };
const everywhere = { width: 1, height: 1, allowed: Uint8Array.of(1) };

const VIEWS = [
  ['the same picture', [1, 0, 0, 0, 1, 0], 1],
  ['nearer and darker', [1.15, 0, -40, 0, 1.15, -30], 0.85],
  ['turned', [0.995, 0.1, -20, -0.1, 0.995, 35], 1],
  ['sheared and lighter', [1, 0.06, -10, 0.02, 0.96, 8], 1.1],
] as const satisfies readonly (readonly [string, Affine, number])[];

describe.each(VIEWS)('a photo taken again: %s', (_, model, brightness) => {
  const again = retake(original, model, brightness);
  const [from, to] = [toGrey(original), toGrey(again)];
  const matches = matchKeyPoints(findKeyPoints(from, everywhere), findKeyPoints(to, everywhere));

  test.each([
    [320, 240],
    [200, 160],
    [430, 330],
  ])('the place at %i, %i is found within two pixels', (x, y) => {
    const found = registerPlace(matches, { x, y, ...POINT }, SIZE);
    if (found === null) throw new Error('not found');
    const [at, wanted] = [mapPoint(found.model, x, y), mapPoint(model, x, y)];
    expect(Math.hypot(at.x - wanted.x, at.y - wanted.y)).toBeLessThan(2);
    expect(registerPlace(matches, { x, y, ...POINT }, SIZE)).toEqual(found);
    const back = registerPlace(swapMatches(matches), { ...wanted, ...POINT }, SIZE);
    if (back === null) throw new Error('not found back');
    const home = mapPoint(back.model, wanted.x, wanted.y);
    expect(Math.hypot(home.x - x, home.y - y)).toBeLessThan(3);
  });

  test('the whole view registers too', () => {
    expect(registerView(matches)?.inliers).toBeGreaterThan(40);
  });

  test.each([
    [30, 80, true],
    [12, 40, false],
    [30, 260, false],
  ])('with %i matches that agree and %i that do not: %s', (right, wrong, registers) => {
    const stray = Array.from({ length: wrong }, (_, i) => ({
      fromX: (i * 97) % SIZE.width,
      fromY: (i * 61) % SIZE.height,
      toX: (i * 211) % SIZE.width,
      toY: (i * 173) % SIZE.height,
    }));
    expect(registerView([...matches.slice(0, right), ...stray]) !== null).toBe(registers);
  });

  test('the cut is alike where nothing changed, and is not where damage was planted', () => {
    const box = { x: 300, y: 220, width: 40, height: 30 };
    const same = compareCrops(from, to, model, box);
    expect(same.overall).toBeGreaterThan(0.9);
    expect(same.worstSpot).toBeGreaterThan(0.5);
    expect(same.surroundings).toBeGreaterThan(0.85);
    const inside = { x: 308, y: 228, width: 24, height: 14 };
    const damaged = compareCrops(toGrey(plant(original, inside)), to, model, box);
    expect(damaged.overall).toBeLessThan(0.9);
    expect(damaged.worstSpot).toBeLessThan(0.3);
    expect(damaged.surroundings).toBeGreaterThan(0.5);
  });
});

test('a large place is near to the points within it, however far from its middle', () => {
  const points = findKeyPoints(toGrey(original), everywhere);
  const middle = { x: 320, y: 240 };
  const far = matchKeyPoints(points, points).filter(
    ({ fromX, fromY }) => Math.hypot(fromX - middle.x, fromY - middle.y) > 80,
  );
  expect(registerPlace(far, { ...middle, ...POINT }, SIZE)).toBeNull();
  expect(registerPlace(far, { x: 230, y: 150, width: 180, height: 180 }, SIZE)).not.toBeNull();
});

test('what the other photo cuts off of a place is no difference', () => {
  const model: Affine = [1, 0, -320, 0, 1, 0];
  const box = { x: 300, y: 220, width: 60, height: 40 };
  const same = compareCrops(toGrey(original), toGrey(retake(original, model, 1)), model, box);
  expect(same.overall).toBeGreaterThan(0.9);
  expect(same.worstSpot).toBeGreaterThan(0.5);
});

describe('where most of the picture reflects something else', () => {
  const model: Affine = [1.02, 0.03, -12, -0.02, 0.98, 9];
  const reflected = drawTexture(SIZE.width, SIZE.height, 7);
  const seen = retake(original, model, 1);
  const mixed = {
    ...seen,
    data: seen.data.map((one, at) => 0.65 * one + 0.35 * (reflected.data[at] as number)),
  };
  const [from, to] = [original, mixed].map((one) => findKeyPoints(toGrey(one), everywhere));
  if (!from || !to) throw new Error('no points');
  const matches = matchKeyPoints(from, to);
  const again = matchGuided(from, to, matches, SIZE);
  const count = (found: typeof again) =>
    found.filter(({ fromX, fromY, toX, toY }) => {
      const { x, y } = mapPoint(model, fromX, fromY);
      return Math.hypot(x - toX, y - toY) < 4;
    }).length;
  test('more than twice as many points are found where the view as a whole puts them', () => {
    expect(count(again)).toBeGreaterThan(2 * count(matches));
  });
  test('a place amid them is found, one far from all is not', () => {
    const box = { x: 300, y: 220, width: 30, height: 30 };
    const found = registerPlace(again, box, SIZE, GUIDED_CRITERIA);
    const [at, wanted] = [found && mapPoint(found.model, 315, 235), mapPoint(model, 315, 235)];
    expect(Math.hypot((at?.x ?? 0) - wanted.x, (at?.y ?? 0) - wanted.y)).toBeLessThan(3);
    expect(registerPlace(again, { ...box, x: 2000 }, SIZE, GUIDED_CRITERIA)).toBeNull();
  });
});

test('a photo of something else does not register', () => {
  const other = toGrey(drawTexture(SIZE.width, SIZE.height, 99));
  const matches = matchKeyPoints(
    findKeyPoints(toGrey(original), everywhere),
    findKeyPoints(other, everywhere),
  );
  expect(registerPlace(matches, { x: 320, y: 240, ...POINT }, SIZE)).toBeNull();
  expect(registerView(matches)).toBeNull();
  expect(
    matchGuided(findKeyPoints(toGrey(original), everywhere), findKeyPoints(other, everywhere), matches, SIZE),
  ).toEqual([]);
});

test('points lie only where they may', () => {
  const points = findKeyPoints(toGrey(original), { width: 2, height: 1, allowed: Uint8Array.of(1, 0) });
  expect(points.count).toBeGreaterThan(100);
  for (const x of points.x) expect(x).toBeLessThan(SIZE.width / 2 + 1);
});

describe('by the parts alone', () => {
  const door = {
    part: 'front_door_left',
    box: { x: 100, y: 100, width: 200, height: 150 },
    isTruncated: false,
  };
  const fender = {
    part: 'front_fender_left',
    box: { x: 20, y: 110, width: 80, height: 100 },
    isTruncated: false,
  };
  const twice = (part: typeof door) => ({
    ...part,
    box: {
      x: 2 * part.box.x + 10,
      y: 2 * part.box.y + 5,
      width: 2 * part.box.width,
      height: 2 * part.box.height,
    },
  });
  const place = { x: 150, y: 130, width: 20, height: 10 };

  test('a place keeps its place within the parts', () => {
    const placed = predictByParts([door, fender], [twice(door), twice(fender)], place, 'front_door_left');
    expect(placed?.x).toBeCloseTo(310, 0);
    expect(placed?.y).toBeCloseTo(265, 0);
    expect(placed?.width).toBeCloseTo(40, 0);
  });

  test.each([
    ['no part in common', [{ ...door, part: 'hood' }]],
    ['a part that runs out of the picture', [{ ...door, isTruncated: true }]],
  ])('%s says nothing', (_, other) => {
    expect(predictByParts([door], other, place, undefined)).toBeNull();
  });
});

/** The right half lies `by` pixels further to the side, as what is nearer does from a step to the side. */
function sidestep({ data, width, height }: RgbImage, by: number): RgbImage {
  const moved = Uint8Array.from(data);
  for (let y = 0; y < height; y++)
    for (let x = width / 2; x < width - by; x++)
      for (let c = 0; c < 3; c++)
        moved[3 * (y * width + x) + c] = data[3 * (y * width + x + by) + c] as number;
  return { data: moved, width, height };
}

test.each<[string, { cut: number; quality: number; light?: number; aside?: number }, boolean]>([
  ['saved again and cut by 5 %', { cut: 0.05, quality: 70 }, true],
  ['lighter, saved again', { cut: 0, quality: 60, light: 1.1 }, true],
  ['taken again from a step to the side', { cut: 0, quality: 90, aside: 14 }, false],
])('a photo %s is a copy: %#', async (_, { cut, quality, light = 1, aside = 0 }, copied) => {
  const large = drawTexture(960, 720, 1);
  const { data, width, height } = aside > 0 ? sidestep(large, aside) : large;
  const [left, top] = [Math.round(width * cut * 0.6), Math.round(height * cut * 0.4)];
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: Math.round(width * (1 - cut)), height: Math.round(height * (1 - cut)) })
    .linear(light, 0)
    .jpeg({ quality })
    .toBuffer();
  const { data: read, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  const again = toGrey({ data: Uint8Array.from(read), width: info.width, height: info.height });
  const matches = matchKeyPoints(findKeyPoints(toGrey(large), everywhere), findKeyPoints(again, everywhere));
  expect(isCopy(matches)).toBe(copied);
});

describe('a location fixed only coarsely', () => {
  const MODEL: Affine = [1.05, 0.03, -20, -0.02, 1.04, 12];
  /** Matches around the middle, each wrong by so many pixels in another direction. */
  const makeMatches = (count: number, error: number) =>
    Array.from({ length: count }, (_, i) => {
      const [fromX, fromY] = [280 + (i % 6) * 16, 200 + Math.floor(i / 6) * 16];
      const { x, y } = mapPoint(MODEL, fromX, fromY);
      return { fromX, fromY, toX: x + error * Math.cos(2.4 * i), toY: y + error * Math.sin(2.4 * i) };
    });
  const place = { x: 300, y: 230, width: 40, height: 20 };

  test('is found near by matches that are all slightly wrong', () => {
    const found = registerCoarsely(makeMatches(36, 6), place, SIZE);
    if (found === null) throw new Error('not found');
    const [at, wanted] = [mapPoint(found.model, 320, 240), mapPoint(MODEL, 320, 240)];
    expect(Math.hypot(at.x - wanted.x, at.y - wanted.y)).toBeLessThan(4);
  });

  test.each([
    ['too few matches', makeMatches(9, 0)],
    ['matches that agree on nothing', makeMatches(36, 90)],
    [
      'matches far away',
      makeMatches(36, 0).map((one) => ({ ...one, fromX: one.fromX - 250, toX: one.toX - 250 })),
    ],
  ])('is not found by %s', (_, matches) => {
    expect(registerCoarsely(matches, place, SIZE)).toBeNull();
  });
});
