import { expect, test } from 'vitest';
import { losesEdits, recomputeEstimate } from '../../../../src/cli/assess/recompute-estimate.ts';
import type { Decision } from '../../../../src/contract/review.ts';
import { makeRequestFromInspection } from '../../../../src/engine/assess/request-from-inspection.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';
import { ONE, review, TWO } from '../../../helpers/results/reviewed-result.ts';

test.each<[string, readonly Decision[]]>([
  ['nothing was decided on', []],
  ['an operation was refused', [{ decision: 'exclude', line_id: '' }]],
])('an estimate without expected operations is made again where %s', (_, more) => {
  const [operation] = review([]).data.results?.expected_operations ?? [];
  const decided = more.map((one) => ({ ...one, line_id: operation?.line_id ?? '' }) as Decision);
  const reviewed = review([{ decision: 'accept', damage_id: ONE }, ...decided]);
  const request = {
    ...makeRequestFromInspection(review([])),
    assessment_options: { associated_operations: 'off' },
  };
  const assess = (body: unknown) => assessed({ ...Object(body), vehicle_id: 'veh_test' });
  const again = recomputeEstimate({ ...reviewed, assessment: assess(request) }, { assess });
  expect(again.assessment?.data.estimate.associated_operations).toBe('off');
});

test.each<[string, boolean, object]>([
  ['reviewed alone', false, {}],
  ['changed by a user', true, { line_edits: [{ part: 'front_door_left', price: 90 }] }],
])('edits of an estimate that was %s are lost when it is made again: %s', (_, isEdited, more) => {
  const [operation] = review([]).data.results?.expected_operations ?? [];
  const reviewed = review([
    { decision: 'accept', damage_id: ONE },
    { decision: 'include', line_id: operation?.line_id ?? '' },
  ]);
  const request = { ...makeRequestFromInspection(reviewed), ...more };
  const assess = (body: unknown) => assessed({ ...Object(body), vehicle_id: 'veh_test' });
  const earlier = { ...reviewed, assessment: assess(request) };
  expect(losesEdits(earlier, recomputeEstimate(earlier, { assess }))).toBe(isEdited);
});

test('an option that was chosen, and prices that were left out, stay so when the estimate is made again', () => {
  const reviewed = review([{ decision: 'accept', damage_id: ONE }]);
  const assess = (body: unknown) => assessed({ ...Object(body), vehicle_id: 'veh_test' });
  const request = makeRequestFromInspection(review([]));
  const plain = assess(request).data.assessed_damages[0]?.repair_options ?? [];
  const other = plain.find((one) => !one.recommended && one.parts_required.length > 0)?.option ?? '';
  const assessment = assess({
    ...request,
    assessment_options: { include_part_prices: false, include_repair_timeline: false },
    overrides: [{ damage_id: ONE, option: other, reason: 'agreed' }],
  });
  const earlier = { ...reviewed, assessment };
  const again = recomputeEstimate(earlier, { assess });
  const [first] = again.assessment?.data.assessed_damages ?? [];
  expect(first?.overrides).toEqual(assessment.data.assessed_damages[0]?.overrides);
  expect(first?.repair_options).toEqual(assessment.data.assessed_damages[0]?.repair_options);
  expect(losesEdits(earlier, again)).toBe(false);
  const rejected = { ...review([{ decision: 'reject', damage_id: ONE }]), assessment };
  expect(losesEdits(rejected, recomputeEstimate(rejected, { assess }))).toBe(true);
});

test('an option that its panel no longer has is lost alone; a severity stated below a floor stays', () => {
  const small = { x: 320, y: 120, width: 10, height: 8 };
  const glass = { part: 'rear_window', type: 'crack', severity: 'minor', box: small } as const;
  const reviewed = review([
    { decision: 'change', damage_id: ONE, ...glass },
    { decision: 'accept', damage_id: TWO },
  ]);
  const assess = (body: unknown) => assessed({ ...Object(body), vehicle_id: 'veh_test' });
  const request = makeRequestFromInspection(review([{ decision: 'change', damage_id: ONE, part: 'hood' }]));
  const plain = assess(request).data.assessed_damages;
  const overrides = plain.flatMap(({ damage_id, repair_options: options }) =>
    options
      .filter((one) => !one.recommended)
      .slice(0, 1)
      .map(({ option }) => ({ damage_id, option })),
  );
  const assessment = assess({ ...request, overrides });
  const again = recomputeEstimate({ ...reviewed, assessment }, { assess }).assessment;
  const made = (again?.data.assessed_damages ?? []).map(
    ({ damage_id: id, severity, overrides: said = [] }) => [id, severity, said.map(({ value }) => value)],
  );
  expect(made).toEqual([
    [ONE, 'minor', ['minor']],
    [TWO, 'moderate', [overrides[1]?.option]],
  ]);
});
