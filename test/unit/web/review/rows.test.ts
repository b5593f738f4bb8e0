import { expect, test } from 'vitest';
import type { Damage } from '../../../../src/contract/inspection.ts';
import type { Decision } from '../../../../src/contract/review.ts';
import { findNextUndecided, listRows } from '../../../../src/web/review/rows.ts';
import {
  BOX,
  CHECK,
  CHK,
  envelope,
  finding,
  ONE,
  review,
  TWO,
} from '../../../helpers/results/reviewed-result.ts';

/** A damage that the second photo shows. */
const inSecond = (damage: Damage): Damage => ({
  ...damage,
  evidence: damage.evidence.map((one) => ({ ...one, image_index: 1 })),
});

test('rows stand photo by photo, the most severe certain ones first, then what is to be checked', () => {
  const rows = listRows(envelope, review([]), []);
  expect(rows.map(({ key, photo, fate }) => [key, photo, fate])).toEqual([
    [TWO, 0, 'undecided'],
    [ONE, 0, 'undecided'],
    [CHK, 0, 'undecided'],
  ]);
  const results = envelope.data.results;
  if (results === null) throw new Error('the example has results');
  const moved = {
    ...envelope,
    data: {
      ...envelope.data,
      results: { ...results, damages: [inSecond(finding(ONE, 1))], to_check: [CHECK as never] },
    },
  };
  expect(listRows(moved, review([]), []).map(({ key, photo }) => [key, photo])).toEqual([
    [CHK, 0],
    [ONE, 1],
  ]);
});

test('rows say what was decided, into what a finding went, and where one was drawn', () => {
  const decisions: Decision[] = [
    { decision: 'accept', damage_id: ONE },
    { decision: 'merge', damage_id: TWO, into: ONE },
    { decision: 'add', image_index: 1, box: BOX, type: 'scratch', part: 'hood' },
  ];
  const rows = listRows(envelope, review(decisions), decisions);
  expect(rows.map(({ kind, fate, photo, into }) => [kind, fate, photo, into])).toEqual([
    ['certain', 'accepted', 0, null],
    ['certain', 'merged', 0, 1],
    ['check', 'undecided', 0, null],
    ['added', 'added', 1, null],
  ]);
  expect(rows.at(-1)?.boxes).toEqual([{ image: 1, box: BOX }]);
  expect(findNextUndecided(rows, ONE)?.key).toBe(CHK);
  expect(findNextUndecided(rows, CHK)?.key).toBe(CHK);
});
