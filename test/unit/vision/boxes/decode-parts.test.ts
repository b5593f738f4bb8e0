import { expect, it } from 'vitest';
import { decodeParts } from '../../../../src/vision/boxes/decode-parts.ts';

const labels = ['background', 'hood', 'roof'] as const;

it('takes the likeliest label of each cell and its probability', () => {
  const logits = Float32Array.of(0, 3, 1, 5, 2, 0, 1, 5, -1, 0, 1, 5);
  const map = decodeParts(logits, labels, 2, 2);
  expect([...map.bestLabels]).toEqual([1, 0, 0, 0]);
  const first = Math.exp(2) / (1 + Math.exp(2) + Math.exp(-1));
  const second = Math.exp(3) / (Math.exp(3) + 2);
  expect([...map.certainty]).toEqual([Math.round(255 * first), Math.round(255 * second), 85, 85]);
});

it('does not overflow', () => {
  expect([...decodeParts(Float32Array.of(-1e30, 1e30, 0), labels, 1, 1).certainty]).toEqual([255]);
});

it.each([Number.NaN, Number.POSITIVE_INFINITY])(
  'says background, uncertain, where a logit is %d',
  (value) => {
    const map = decodeParts(Float32Array.of(0, value, 3), labels, 1, 1);
    expect([map.bestLabels[0], map.certainty[0]]).toEqual([0, 0]);
  },
);
