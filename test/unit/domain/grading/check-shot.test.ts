import { expect, test } from 'vitest';
import { checkShot } from '../../../../src/domain/grading/check-shot.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';

/** A map of twelve rows, those in the middle the same. */
function draw(row: string, count = 6) {
  const sky = Array<string>((12 - count) / 2).fill('.'.repeat(16));
  return partGrid(...sky, ...Array<string>(count).fill(row), ...sky);
}

const WHOLE = draw('..FFDDDDEEEQQQ..');
test.each([
  ['whole and from that side', WHOLE, 'left_side', []],
  ['a neighboring view is good enough', WHOLE, 'front_left', []],
  ['from the other side', WHOLE, 'right_side', [{ code: 'other_view', seen: 'left_side' }]],
  ['cut off on the right', draw('....FFDDDDEEEQQQ'), 'left_side', [{ code: 'cut_off', edge: 'right' }]],
  ['cut off on the left', draw('FFDDDDEEEQQQ....'), 'left_side', [{ code: 'cut_off', edge: 'left' }]],
  ['nothing', draw('................'), 'left_side', [{ code: 'no_vehicle' }]],
  ['far away', draw('......FDEQ......', 2), 'left_side', [{ code: 'too_far' }]],
] as const)('a photo %s', (_, map, wanted, hints) => {
  expect(checkShot(map, wanted)).toEqual(hints);
});
