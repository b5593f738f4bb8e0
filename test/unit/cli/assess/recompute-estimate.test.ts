import { expect, test } from 'vitest';
import { losesEdits, recomputeEstimate } from '../../../../src/cli/assess/recompute-estimate.ts';
import type { Decision } from '../../../../src/contract/review.ts';
import { makeRequestFromInspection } from '../../../../src/engine/assess/request-from-inspection.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';
import { ONE, review } from '../../../helpers/results/reviewed-result.ts';

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
