import { expect, it } from 'vitest';
import type { Box } from '../../../../src/domain/geometry.ts';
import type { PartMap, SegmentLabel } from '../../../../src/domain/sight/detection.ts';
import {
  judgePlate,
  listPlateCandidates,
  placePlateCloseUp,
} from '../../../../src/vision/plates/plate-boxes.ts';

const RASTER = { width: 1000, height: 500 };
const PLATE: Box = { x: 400, y: 300, width: 200, height: 50 };
const found = (score: number, box = PLATE) => ({ label: 0, score, box });
const cover = (label: SegmentLabel): PartMap => ({
  labels: ['background', label],
  width: 10,
  height: 5,
  bestLabels: new Uint8Array(50).fill(1),
  certainty: new Uint8Array(50).fill(255),
});
const pass = (...boxes: ReturnType<typeof found>[]) => ({ region: { x: 0, y: 0, ...RASTER }, boxes });
const list = (parts: PartMap | null, ...passes: ReturnType<typeof pass>[]) =>
  listPlateCandidates(passes, { threshold: 0.3 }, parts, RASTER);

it.each([
  ['on a bumper, moderately sure', 0.45, 0.4, cover('front_bumper'), true],
  ['on a trunk lid', 0.45, 0.4, cover('trunk_lid'), true],
  ['on a door, however sure', 0.9, 0.9, cover('front_door_left'), false],
  ['on a wheel', 0.9, 0.9, cover('wheel'), false],
  ['off the vehicle, moderately sure', 0.5, 0.5, cover('background'), false],
  ['off the vehicle, sure', 0.65, 0.5, cover('background'), true],
  ['in a photo that was not segmented, sure', 0.65, 0.5, null, true],
  ['that the close-up does not see', 0.6, 0, cover('front_bumper'), false],
] as const)('takes a find %s: %#', (_, score, close, parts, taken) => {
  const inCloseUp = close > 0 ? [found(close)] : [];
  expect(list(parts, pass(found(score))).some((one) => judgePlate(one, inCloseUp) !== null)).toBe(taken);
});

it('covers what both passes saw, and nothing else that the close-up shows', () => {
  const shifted = found(0.8, { ...PLATE, x: 380 });
  const other = found(0.9, { x: 0, y: 0, width: 100, height: 30 });
  const plate = judgePlate({ ...found(0.8), minConfidence: 0.425 }, [other, shifted]);
  expect(plate?.box).toEqual({ x: 380, y: 300, width: 220, height: 50 });
  expect(plate?.confidence).toBeCloseTo(0.8);
});

it('candidates are the best boxes of all passes from the threshold on, one per plate', () => {
  const far = { x: 0, y: 0, width: 90, height: 30 };
  const listed = list(null, pass(found(0.5), found(0.29, far)), pass(found(0.7), found(0.4, far)));
  expect(listed.map(({ score }) => score)).toEqual([0.7, 0.4]);
});

it.each([
  ['on a door', 0.9, cover('front_door_left'), 0],
  ['off the vehicle, below what the surest close-up makes up for', 0.36, cover('background'), 0],
  ['off the vehicle, from there on', 0.37, cover('background'), 1],
  ['on a bumper', 0.31, cover('front_bumper'), 1],
] as const)('needs no close-up where that decides nothing: %s', (_, score, parts, count) => {
  expect(list(parts, pass(found(score)))).toHaveLength(count);
});

it('the close-up is a square around the candidate', () => {
  const { x, y, width, height } = placePlateCloseUp(PLATE);
  expect([x, y, width, height].map(Math.round)).toEqual([280, 105, 440, 440]);
});
