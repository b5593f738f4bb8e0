import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SegmentLabel } from '../../../../src/domain/sight/detection.ts';
import { computeScaleAt, computeSize, findSlant, type Scale } from '../../../../src/domain/sight/measure.ts';

const SCALE: Scale = { cmPerPixel: 0.25, reference: 'hood', relativeError: 0.31 };
/** Wide enough that no part of these is near its edge. */
const PHOTO = { width: 4000, height: 3000 };
const part = (label: SegmentLabel, width: number, height: number, isTruncated = false) => ({
  label,
  isTruncated,
  isTruncatedBothWays: false,
  share: 0.1,
  box: { x: 500, y: 0, width, height },
});

const HALF = part('front_door_left', 176, 400);

describe('a length on a panel at a slant', () => {
  test.each([
    ['straight on', part('front_door_left', 400, 400), 1],
    ['half as wide as it is straight on', HALF, 0.5],
    ['hardly a strip', part('front_door_left', 10, 400), 0.3],
    ['cut off by the picture', part('front_door_left', 176, 400, true), 1],
    ['at the edge of the picture', { ...HALF, box: { ...HALF.box, x: 100 } }, 1],
    ['whose proportions say nothing', part('hood', 100, 400), 1],
    ['that the map does not show', undefined, 1],
  ])('%s', (_, seen, slant) => expect(findSlant(seen, PHOTO)).toBeCloseTo(slant));

  test('is corrected along the vehicle and left as it is in height, with a wider interval', () => {
    const at = computeScaleAt(SCALE, 'front_door_left', HALF, PHOTO);
    const size = (width: number, height: number) => computeSize({ x: 0, y: 0, width, height }, at);
    expect(size(100, 20)).toEqual({ longSideCm: 50, shortSideCm: 5 });
    expect(size(20, 100)).toEqual({ longSideCm: 25, shortSideCm: 10 });
    expect(at.relativeError).toBeCloseTo(0.61);
  });

  test.each([
    ['headlight_left', part('headlight_left', 100, 60), 0.76],
    ['hood', part('hood', 300, 100), 0.31],
    ['hood', undefined, 0.78],
  ] as const)('%s: the interval is as wide as one photo leaves it', (label, seen, error) =>
    expect(computeScaleAt(SCALE, label, seen, PHOTO).relativeError).toBeCloseTo(error),
  );

  test('is never shorter, never more than 3.4 times as long, and never surer than without the correction', () => {
    const side = fc.integer({ min: 1, max: 2000 });
    fc.assert(
      fc.property(side, side, side, side, (width, height, w, h) => {
        const panel = part('quarter_panel_left', width, height);
        const at = computeScaleAt(SCALE, 'quarter_panel_left', panel, PHOTO);
        const box = { x: 0, y: 0, width: w, height: h };
        const { longSideCm: plain } = computeSize(box, { ...SCALE, max: at.max });
        const { longSideCm: corrected } = computeSize(box, at);
        expect(corrected).toBeGreaterThanOrEqual(plain);
        expect(corrected).toBeLessThanOrEqual(plain * 3.4 + 0.1);
        expect(at.relativeError).toBeGreaterThanOrEqual(SCALE.relativeError);
      }),
    );
  });
});
