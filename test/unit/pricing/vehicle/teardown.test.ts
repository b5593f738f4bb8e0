import { expect, it } from 'vitest';
import { assessed } from '../../../helpers/pricing/assessments.ts';
import { BUMPER } from '../../../helpers/pricing/own-shop.ts';

it.each([
  ['a panel that is repaired', { type: 'dent', location: 'hood', severity: 'severe' }, 0.31],
  ['a cover that is replaced', BUMPER, 0.31],
  ['glass', { type: 'crack', location: 'windshield', severity: 'severe' }, undefined],
  ['a panel that is only painted', { type: 'scratch', location: 'hood', severity: 'moderate' }, undefined],
  [
    'a spot repair',
    {
      type: 'scratch',
      location: 'front_door_left',
      severity: 'moderate',
      measurements: { length: 8, unit: 'cm' },
    },
    undefined,
  ],
  [
    'a dent without paint',
    { type: 'dent', location: 'hood', severity: 'minor', measurements: { length: 2 } },
    undefined,
  ],
])('teardown adds the published share of a first bill to %s', (_, damage, share) => {
  const { data } = assessed({ damages: [{ damage_id: 'd', ...damage }] });
  const { first_bill: bill, after_teardown: after } = data.summary.repair_cost_summary;
  if (share === undefined || bill === undefined) expect(after).toBeUndefined();
  else
    for (const end of ['min', 'estimated', 'max'] as const)
      expect(after?.[end]).toBeCloseTo(bill[end] * (1 + share), 1);
});
