import { expect, test } from 'vitest';
import type { Decision } from '../../../../src/contract/review.ts';
import { keepPossible } from '../../../../src/engine/review/keep-possible.ts';
import { VehiError } from '../../../../src/lib/errors.ts';
import { CHK, ONE, review, TWO } from '../../../helpers/results/reviewed-result.ts';

const apply = async (list: readonly unknown[]) => review(list as readonly Decision[]);

test('what can be applied is applied at once', async () => {
  const decisions = [{ decision: 'accept', damage_id: ONE }];
  const { kept, leftOut, outcome } = await keepPossible(decisions, apply);
  expect({ kept, leftOut }).toEqual({ kept: decisions, leftOut: [] });
  expect(outcome.review.decisions).toHaveLength(1);
});

test('a decision that is refused now is left out, with what was merged into it; the others stay in their order', async () => {
  const merge = { decision: 'merge', damage_id: TWO, into: CHK };
  const reject = { decision: 'reject', damage_id: ONE };
  const refused = { decision: 'change', damage_id: CHK, part: 'windshield', type: 'dent' };
  const tick = { decision: 'nothing_more', image_index: 0 };
  const { kept, leftOut, outcome } = await keepPossible([merge, reject, refused, tick], apply);
  expect(kept).toEqual([reject, tick]);
  expect(leftOut.map(({ decision }) => decision)).toEqual([refused, merge]);
  expect(leftOut[0]?.why).toContain('dent on windshield');
  expect(leftOut[0]?.details).toEqual({ reason: 'impossible_type', part: 'windshield', type: 'dent' });
  expect(outcome.review.photos_checked).toEqual([0]);
  expect(outcome.data.results?.damages.map((one) => one.damage_id)).toEqual([TWO]);
});

test('what is merged into a finding that is decided later in the list stays', async () => {
  const merge = { decision: 'merge', damage_id: ONE, into: CHK };
  const accept = { decision: 'accept', damage_id: CHK };
  const stray = 'nonsense';
  const { kept, leftOut } = await keepPossible([merge, stray, accept], apply);
  expect(kept).toEqual([merge, accept]);
  expect(leftOut.map(({ decision }) => decision)).toEqual([stray]);
});

test('any other failure is one', async () => {
  const fail = (error: Error) => keepPossible([], () => Promise.reject(error));
  await expect(fail(new Error('no memory'))).rejects.toThrow('no memory');
  await expect(fail(new VehiError('engine', 'MODEL_BROKEN', 'broken'))).rejects.toThrow('broken');
  await expect(fail(new VehiError('input', 'EARLIER_RESULT', 'too old'))).rejects.toThrow('too old');
});
