import { expect, test } from 'vitest';
import type { Decision } from '../../../../src/contract/review.ts';
import { exportCorrections } from '../../../../src/engine/review/corrections-coco.ts';
import { BOX, CHK, ONE, review, TWO } from '../../../helpers/results/reviewed-result.ts';

const added = { decision: 'add', image_index: 1, type: 'scratch', part: 'hood', box: BOX } as const;

test.each<[string, Decision[], string[], string[], string[]]>([
  ['what is drawn', [added], ['add'], [], []],
  [
    'what is rejected, and what is merged, under what it belongs to',
    [
      { decision: 'accept', damage_id: ONE },
      { decision: 'merge', damage_id: TWO, into: ONE },
      { decision: 'reject', damage_id: CHK },
    ],
    ['accept'],
    [CHK],
    [TWO],
  ],
])('%s is in its list', (_, decisions, kept, rejected, merged) => {
  const corrections = exportCorrections(review(decisions));
  const byPhoto = new Set(corrections.annotations.map(({ attributes }) => attributes.decision));
  expect([...byPhoto]).toEqual(kept);
  expect(corrections.rejected.map(({ damage_id }) => damage_id)).toEqual(rejected);
  expect(corrections.merged.map(({ damage_id }) => damage_id)).toEqual(merged);
});

test('a finding without a decision, into which a box is drawn, was found: its annotations say as what', () => {
  const { annotations } = exportCorrections(review([{ ...added, into: ONE }]));
  expect(annotations.map(({ attributes: { before } }) => [before?.damage_id, before?.bbox])).toEqual([
    [ONE, null],
    [ONE, [320, 120, 100, 80]],
  ]);
});
