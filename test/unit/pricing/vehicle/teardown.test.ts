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
])('teardown adds the published share of a first estimate to the upper end of %s', (_, damage, share) => {
  const { data } = assessed({ damages: [{ damage_id: 'd', ...damage }] });
  const {
    adjusted_total: total,
    after_teardown: after,
    expected_total = 0,
  } = data.summary.repair_cost_summary;
  if (share === undefined) expect(after).toBeUndefined();
  else {
    expect(after?.min).toBe(total.min);
    expect(after?.max).toBeCloseTo(total.max + expected_total * share, 1);
  }
});
