// @module-tag slow: key points of pictures are matched
import { describe, expect, test } from 'vitest';
import { findKeyPoints } from '../../../../src/domain/compare/keypoints.ts';
import { compareCrops } from '../../../../src/domain/compare/likeness.ts';
import {
  type Affine,
  mapPoint,
  matchKeyPoints,
  registerPlace,
  swapMatches,
} from '../../../../src/domain/compare/registration.ts';
import { toGray } from '../../../../src/domain/photo.ts';
import { drawTexture, plant, retake } from '../../../helpers/photos/textured.ts';

const SIZE = { width: 640, height: 480 };
const original = drawTexture(SIZE.width, SIZE.height, 1);
const POINT = { width: 0, height: 0 };
const everywhere = { width: 1, height: 1, allowed: Uint8Array.of(1) };
const points = findKeyPoints(toGray(original), everywhere);

const VIEWS = [
  ['the same picture', [1, 0, 0, 0, 1, 0], 1],
  ['nearer and darker', [1.15, 0, -40, 0, 1.15, -30], 0.85],
  ['turned', [0.995, 0.1, -20, -0.1, 0.995, 35], 1],
  ['sheared and lighter', [1, 0.06, -10, 0.02, 0.96, 8], 1.1],
] as const satisfies readonly (readonly [string, Affine, number])[];

describe.each(VIEWS)('a photo taken again: %s', (_, model, brightness) => {
  const again = retake(original, model, brightness);
  const [from, to] = [toGray(original), toGray(again)];
  const matches = matchKeyPoints(points, findKeyPoints(to, everywhere));

  test('a place is found within two pixels, and back within three', () => {
    const [x, y] = [200, 160];
    const found = registerPlace(matches, { x, y, ...POINT }, SIZE) ?? expect.fail('not found');
    const [at, wanted] = [mapPoint(found.model, x, y), mapPoint(model, x, y)];
    expect(Math.hypot(at.x - wanted.x, at.y - wanted.y)).toBeLessThan(2);
    expect(registerPlace(matches, { x, y, ...POINT }, SIZE)).toEqual(found);
    const back = registerPlace(swapMatches(matches), { ...wanted, ...POINT }, SIZE) ?? expect.fail();
    const home = mapPoint(back.model, wanted.x, wanted.y);
    expect(Math.hypot(home.x - x, home.y - y)).toBeLessThan(3);
  });

  test('the cut is alike where nothing changed, and is not where damage was planted', () => {
    const box = { x: 300, y: 220, width: 40, height: 30 };
    const same = compareCrops(from, to, model, box);
    expect(same.overall).toBeGreaterThan(0.9);
    expect(same.worstSpot).toBeGreaterThan(0.5);
    expect(same.surroundings).toBeGreaterThan(0.85);
    const inside = { x: 308, y: 228, width: 24, height: 14 };
    const damaged = compareCrops(toGray(plant(original, inside)), to, model, box);
    expect(damaged.overall).toBeLessThan(0.9);
    expect(damaged.worstSpot).toBeLessThan(0.3);
    expect(damaged.surroundings).toBeGreaterThan(0.5);
  });
});

test('a large place is near to the points within it, however far from its middle', () => {
  const middle = { x: 320, y: 240 };
  const far = matchKeyPoints(points, points).filter(
    ({ fromX, fromY }) => Math.hypot(fromX - middle.x, fromY - middle.y) > 170,
  );
  expect(registerPlace(far, { ...middle, ...POINT }, SIZE)).toBeNull();
  expect(registerPlace(far, { x: 140, y: 60, width: 360, height: 360 }, SIZE)).not.toBeNull();
});

test('what the other photo cuts off of a place is no difference', () => {
  const model: Affine = [1, 0, -320, 0, 1, 0];
  const box = { x: 300, y: 220, width: 60, height: 40 };
  const same = compareCrops(toGray(original), toGray(retake(original, model, 1)), model, box);
  expect(same.overall).toBeGreaterThan(0.9);
  expect(same.worstSpot).toBeGreaterThan(0.5);
});

test('a photo of something else does not register', () => {
  const other = toGray(drawTexture(SIZE.width, SIZE.height, 99));
  const matches = matchKeyPoints(points, findKeyPoints(other, everywhere));
  expect(registerPlace(matches, { x: 320, y: 240, ...POINT }, SIZE)).toBeNull();
});

test('points lie only where they may', () => {
  const inLeft = findKeyPoints(toGray(original), { width: 2, height: 1, allowed: Uint8Array.of(1, 0) });
  expect(inLeft.count).toBeGreaterThan(100);
  expect(Math.max(...inLeft.x)).toBeLessThan(SIZE.width / 2 + 1);
});

describe('a bare panel, with no keypoints nearby', () => {
  const photo = { width: 1280, height: 960 };
  const panel = { x: 560, y: 400, width: 80, height: 40 };
  /** Keypoints in two columns, 170 pixels left of the panel and beyond, moved by (10, 5); the farther one by `bend` more. */
  const listMatches = (count: number, bend: number, near = 390) =>
    Array.from({ length: count }, (_, at) => {
      const [column, row] = [at % 2, Math.floor(at / 2)];
      const [fromX, fromY] = [near - column * 120 - (row % 5), 250 + 11 * row];
      return { fromX, fromY, toX: fromX + 10 + (row % 5) * bend, toY: fromY + 5 + column * bend };
    });

  test('is registered by many keypoints that agree', () => {
    const found = registerPlace(listMatches(50, 0), panel, photo) ?? expect.fail('not found');
    const at = mapPoint(found.model, panel.x, panel.y);
    expect(Math.hypot(at.x - 570, at.y - 405)).toBeLessThan(1);
  });

  test.each([
    ['by fewer than forty', listMatches(38, 0), panel],
    ['by keypoints farther than a quarter of the photo', listMatches(50, 0, 200), panel],
    ['by halves that put it at different points', listMatches(50, 2.5), panel],
  ])('is not registered %s', (_, matches, place) => {
    expect(registerPlace(matches, place, photo)).toBeNull();
  });
});
