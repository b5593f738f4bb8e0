import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrate } from '../../../../src/vision/models/manifest.ts';

const curve = { x: [0.1, 0.5, 0.9], y: [0, 0.3, 0.95] };

describe('calibrate', () => {
  it.each([
    [0, 0],
    [0.1, 0],
    [0.3, 0.15],
    [0.5, 0.3],
    [0.7, 0.625],
    [0.9, 0.95],
    [1, 0.95],
  ])('%d becomes %d', (score, probability) => {
    expect(calibrate(curve, score)).toBeCloseTo(probability, 10);
  });

  it('never ranks two scores the other way round', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b) => {
          expect(calibrate(curve, Math.min(a, b))).toBeLessThanOrEqual(calibrate(curve, Math.max(a, b)));
        },
      ),
    );
  });
});
