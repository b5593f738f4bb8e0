import { expect, it } from 'vitest';
import { assessed } from '../../../helpers/pricing/assessments.ts';

const hit = (type: string, location: string, severity: string, length?: number) => ({
  damage_id: 'd',
  type,
  location,
  severity,
  ...(length !== undefined && { measurements: { length, unit: 'cm' } }),
});

it.each([
  ['a panel that is repaired', hit('dent', 'hood', 'severe'), 0.31],
  ['a cover that is replaced', hit('crack', 'front_bumper', 'severe'), 0.31],
  ['glass', hit('crack', 'windshield', 'severe'), undefined],
  ['a panel that is only painted', hit('scratch', 'hood', 'moderate'), undefined],
  ['a spot repair', hit('scratch', 'front_door_left', 'moderate', 8), undefined],
  ['a dent without paint', hit('dent', 'hood', 'minor', 2), undefined],
])('teardown adds the published share of a first bill to %s', (_, damage, share) => {
  const { data } = assessed({ damages: [damage] });
  const { first_bill: bill, after_teardown: after } = data.summary.repair_cost_summary;
  if (share === undefined || bill === undefined) expect(after).toBeUndefined();
  else
    for (const end of ['min', 'estimated', 'max'] as const)
      expect(after?.[end]).toBeCloseTo(bill[end] * (1 + share), 1);
});
