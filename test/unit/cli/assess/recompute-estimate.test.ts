import { expect, test } from 'vitest';
import { losesEdits, recomputeEstimate } from '../../../../src/cli/assess/recompute-estimate.ts';
import type { Decision } from '../../../../src/contract/review.ts';
import { makeRequestFromInspection } from '../../../../src/engine/assess/request-from-inspection.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';
import { ONE, review, TWO } from '../../../helpers/results/reviewed-result.ts';

const assess = (body: unknown) => assessed({ ...Object(body), vehicle_id: 'veh_test' });
const request = makeRequestFromInspection(review([]));
const accept: Decision = { decision: 'accept', damage_id: ONE };
const line_id = review([]).data.results?.expected_operations?.[0]?.line_id ?? '';
/** Recomputes an estimate, made of this request, for a reviewed result. */
const recompute = (decisions: readonly Decision[], body: object) => {
  const earlier = { ...review(decisions), assessment: assess(body) };
  const again = recomputeEstimate(earlier, { assess });
  return { again: again.assessment?.data, losesEdits: losesEdits(earlier, again) };
};

test('an estimate without expected operations is made again where one was refused', () => {
  const body = { ...request, assessment_options: { associated_operations: 'off' } };
  const { again } = recompute([accept, { decision: 'exclude', line_id }], body);
  expect(again?.estimate.associated_operations).toBe('off');
});

test.each<[string, boolean, object]>([
  ['reviewed alone', false, {}],
  ['changed by a user', true, { line_edits: [{ part: 'front_door_left', price: 90 }] }],
])('edits of an estimate that was %s are lost when it is made again: %s', (_, isEdited, more) => {
  const decisions: Decision[] = [accept, { decision: 'include', line_id }];
  const body = { ...makeRequestFromInspection(review(decisions)), ...more };
  expect(recompute(decisions, body).losesEdits).toBe(isEdited);
});

test('an option that was chosen, and prices that were left out, stay so when the estimate is made again', () => {
  const plain = assess(request).data.assessed_damages[0]?.repair_options ?? [];
  const other = plain.find((one) => !one.recommended && one.parts_required.length > 0)?.option ?? '';
  const body = {
    ...request,
    assessment_options: { include_part_prices: false, include_repair_timeline: false },
    overrides: [{ damage_id: ONE, option: other, reason: 'agreed' }],
  };
  const [first] = assess(body).data.assessed_damages;
  const kept = recompute([accept], body);
  expect(kept.again?.assessed_damages[0]?.overrides).toEqual(first?.overrides);
  expect(kept.again?.assessed_damages[0]?.repair_options).toEqual(first?.repair_options);
  expect(kept.losesEdits).toBe(false);
  expect(recompute([{ decision: 'reject', damage_id: ONE }], body).losesEdits).toBe(true);
});

test('an option that its panel no longer has is lost alone; a severity stated below a floor stays', () => {
  const box = { x: 320, y: 120, width: 10, height: 8 };
  const glass = { part: 'rear_window', type: 'crack', severity: 'minor', box } as const;
  const body = makeRequestFromInspection(review([{ decision: 'change', damage_id: ONE, part: 'hood' }]));
  const overrides = assess(body).data.assessed_damages.map(({ damage_id, repair_options: options }) => ({
    damage_id,
    option: options.find((one) => !one.recommended)?.option,
  }));
  const { again } = recompute(
    [
      { decision: 'change', damage_id: ONE, ...glass },
      { decision: 'accept', damage_id: TWO },
    ],
    { ...body, overrides },
  );
  const made = again?.assessed_damages.map(({ damage_id: id, severity, overrides: said = [] }) => [
    id,
    severity,
    said.map(({ value }) => value),
  ]);
  expect(made).toEqual([
    [ONE, 'minor', ['minor']],
    [TWO, 'moderate', [overrides[1]?.option]],
  ]);
});
