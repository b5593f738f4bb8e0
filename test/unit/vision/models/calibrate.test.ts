import { expect, it } from 'vitest';
import { calibrate } from '../../../../src/vision/models/manifest.ts';

it.each([
  [0, 0],
  [0.1, 0],
  [0.3, 0.15],
  [0.5, 0.3],
  [0.7, 0.625],
  [0.9, 0.95],
  [1, 0.95],
])('the score %d is a probability of %d', (score, probability) => {
  expect(calibrate({ x: [0.1, 0.5, 0.9], y: [0, 0.3, 0.95] }, score)).toBeCloseTo(probability, 10);
});
