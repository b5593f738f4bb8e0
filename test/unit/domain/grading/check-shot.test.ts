import { describe, expect, test } from 'vitest';
import { checkShot } from '../../../../src/domain/grading/check-shot.ts';
import { SEGMENT_LABELS, type SegmentLabel } from '../../../../src/domain/sight/detection.ts';

const SIDE = 64;

/** A map with rectangles of parts: label, left, top, right, bottom in cells. */
function drawMap(...parts: readonly (readonly [SegmentLabel, number, number, number, number])[]) {
  const bestLabels = new Uint8Array(SIDE * SIDE);
  for (const [label, left, top, right, bottom] of parts)
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) bestLabels[y * SIDE + x] = SEGMENT_LABELS.indexOf(label);
  return {
    labels: [...SEGMENT_LABELS],
    width: SIDE,
    height: SIDE,
    bestLabels,
    certainty: new Uint8Array(SIDE * SIDE).fill(250),
  };
}

const leftSide = (x: number) =>
  drawMap(
    ['front_fender_left', x, 24, x + 10, 44],
    ['front_door_left', x + 10, 20, x + 24, 44],
    ['rear_door_left', x + 24, 20, x + 36, 44],
    ['quarter_panel_left', x + 36, 22, x + 46, 44],
  );

describe('checkShot', () => {
  test.each([
    ['whole and from that side', leftSide(9), 'left_side', []],
    ['a neighboring view is good enough', leftSide(9), 'front_left', []],
    ['from the other side', leftSide(9), 'right_side', [{ code: 'other_view', seen: 'left_side' }]],
    ['cut off on the right', leftSide(18), 'left_side', [{ code: 'cut_off', edge: 'right' }]],
    ['cut off on the left', leftSide(0), 'left_side', [{ code: 'cut_off', edge: 'left' }]],
    ['nothing', drawMap(), 'left_side', [{ code: 'no_vehicle' }]],
    [
      'far away',
      drawMap(
        ['front_door_left', 28, 28, 36, 36],
        ['rear_door_left', 36, 28, 44, 36],
        ['quarter_panel_left', 44, 28, 50, 36],
        ['front_fender_left', 22, 28, 28, 36],
      ),
      'left_side',
      [{ code: 'too_far' }],
    ],
  ] as const)('%s', (_name, map, wanted, hints) => {
    expect(checkShot(map, wanted)).toEqual(hints);
  });
});
