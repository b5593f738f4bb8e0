import { expect, test } from 'vitest';
import type { SegmentLabel } from '../../../../src/domain/sight/detection.ts';
import { computeDistanceM, listShownParts, toStatus } from '../../../../src/domain/sight/part-coverage.ts';
import type { LabelMass } from '../../../../src/domain/sight/part-map.ts';
import { findPartSize } from '../../../../src/domain/sight/part-sizes.ts';
import { createScene } from '../../../../src/domain/sight/photo-scene.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';

const SIZE = { width: 1280, height: 960 };

/** Returns what a photo of the left side shows in which parts have this share and give this scale. */
function views(
  shares: Readonly<Partial<Record<SegmentLabel, number>>>,
  cmPerPixel: number,
  flaw: 'blur' | null = null,
) {
  const visibleParts = (Object.keys(shares) as SegmentLabel[]).map((label) => {
    const height = (findPartSize(label).reference?.cm ?? 0) / cmPerPixel / SIZE.height;
    const relativeBox = { x: 0.3, y: 0.3, width: 0.1, height };
    const whole = { isTruncated: false, isTruncatedBothWays: false };
    return { label, share: shares[label] ?? 0, ...whole, relativeBox };
  });
  const mass: LabelMass = new Map<SegmentLabel, number>([
    ['background', 40],
    ...visibleParts.map(({ label, share }) => [label, share * 100] as const),
  ]);
  const angle = shares.front_door_right === undefined ? 'left_side' : 'right_side';
  const measured = { mass, certainty: 0.9, visibleParts };
  return listShownParts(createScene(partGrid('.'), SIZE, angle, measured), flaw);
}

test('36 mm of film behind 26 mm of lens: 1.38 m of the vehicle across the photo at one meter', () => {
  expect(computeDistanceM(SIZE, 0.4)).toBeCloseTo((0.4 * 12.8 * 26) / 36, 6);
});

const AREA_CM2 = 11_000;
/** Share of the photo that so much of a front door's area takes. */
const shareOf = (visible: number, cmPerPixel: number) =>
  (visible * AREA_CM2) / cmPerPixel ** 2 / (SIZE.width * SIZE.height);

test.each([
  ['all of it, near', 1, 0.4, null, 'seen', null],
  ['just enough of it', 0.251, 0.4, null, 'seen', null],
  ['just too little of it', 0.249, 0.4, null, 'not_seen', 'mostly_hidden'],
  ['at the last scale that shows small damage', 1, 0.599, null, 'seen', null],
  ['from too far', 1, 0.601, null, 'too_small', 'far'],
  ['in a blurred photo', 1, 0.4, 'blur', 'not_seen', 'blur'],
] as const)('a door of which a photo shows %s', (_, visible, cmPerPixel, flaw, status, reason) => {
  const share = shareOf(visible, cmPerPixel);
  const shown = views({ front_door_left: share, front_fender_left: 0.05 }, cmPerPixel, flaw);
  expect(shown.parts.slice(0, 2)).toEqual([
    { part: 'front_door_left', reason },
    { part: 'side_window_fl', reason },
  ]);
  expect(toStatus(reason)).toBe(status);
  expect(shown.cmPerPixel).toBeCloseTo(cmPerPixel, 6);
});

test('a vehicle without a rear door on the right: its place counts as seen', () => {
  const share = shareOf(1, 0.4);
  const parts = views({ front_door_right: share, quarter_panel_right: share }, 0.4).parts;
  expect(parts.map(({ part }) => part).slice(3)).toEqual(['rear_door_right', 'side_window_rr']);
});

test('a rear door that is seen is not added, nor one next to a quarter panel that is not', () => {
  const share = shareOf(1, 0.4);
  const count = (parts: Parameters<typeof views>[0]) =>
    views(parts, 0.4).parts.filter(({ part }) => part === 'rear_door_left').length;
  expect(count({ front_door_left: share, rear_door_left: share, quarter_panel_left: share })).toBe(1);
  expect(count({ front_door_left: share, quarter_panel_left: 0.001 })).toBe(0);
});
