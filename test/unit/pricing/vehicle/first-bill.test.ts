import { expect, it } from 'vitest';
import { assessed } from '../../../helpers/pricing/assessments.ts';

const hit = (location: string, severity_score: number, more: object = {}) => ({
  damage_id: location,
  type: 'panel_damage',
  location,
  severity_score,
  ...more,
});
const BUMPER = hit('front_bumper', 6.25, { type: 'crack' });

// How much of what is expected the first bill holds: from score 1.25 to 3.75.
it.each([
  ['a scratch', [hit('hood', 6, { type: 'scratch' })], 0],
  ['glass', [hit('windshield', 6, { type: 'crack' })], 0],
  ['a lamp', [hit('headlight_left', 6, { subtype: 'headlight_damage' })], 0],
  ['a moderate dent', [hit('quarter_panel_left', 2.75)], 0.6],
  ['a cover that cracked alone', [BUMPER], 0],
  ['a crushed door', [hit('front_door_left', 9)], 1],
  ['a missing cover', [hit('front_bumper', 4, { subtype: 'missing_part' })], 1],
  ['a bent frame', [hit('hood', 6, { subtype: 'frame_damage' })], 1],
  ['a cover and the lamp next to it', [BUMPER, hit('headlight_left', 5, { subtype: 'headlight_damage' })], 1],
  ['two light dents next to each other', ['front_bumper', 'hood'].map((one) => hit(one, 2.25)), 0.4],
  ['a cover at both ends', [BUMPER, hit('rear_bumper', 6.25, { type: 'crack' })], 0],
  ['two dents on one door', ['a', 'b'].map((one) => hit('roof', 3.75, { type: 'dent', damage_id: one })), 1],
])('%s', (_, damages, weight) => {
  const { first_bill, as_seen, expected_total } = assessed({ damages }).data.summary.repair_cost_summary;
  if (first_bill === undefined || as_seen === undefined) throw new Error('three totals');
  const held = expected_total === undefined ? 0 : expected_total - as_seen.estimated;
  // Each operation is rounded by itself.
  expect(first_bill.estimated - as_seen.estimated).toBeCloseTo(held * weight, 0);
});

it('what another end brings is listed, and counted in no sum', () => {
  const alone = assessed({ damages: [hit('front_door_left', 9)] });
  const both = assessed({ damages: [hit('front_door_left', 9), hit('rear_bumper', 6, { type: 'scratch' })] });
  const expected = (both.data.estimate.lines ?? []).filter((line) => line.group === 'expected');
  const counted = (part: string) =>
    new Set(expected.filter((line) => line.because_of === part).map((line) => line.counted_in));
  expect(counted('front_door_left')).toEqual(new Set(['range']));
  expect(counted('rear_bumper')).toEqual(new Set(['none']));
  const above = ({ data }: typeof both) => {
    const { first_bill, as_seen } = data.summary.repair_cost_summary;
    return (first_bill?.estimated ?? 0) - (as_seen?.estimated ?? 0);
  };
  expect(above(both)).toBeCloseTo(above(alone), 0);
});

// Filling the panel costs less at first, pushing its dents and painting it later: what lies behind it does not depend on that.
const pushed = (score: number) => [
  hit('trunk_lid', 7.5, { type: 'scratch', damage_id: 'scratch' }),
  hit('trunk_lid', score, { type: 'dent', count: 2 }),
  hit('rear_bumper', 8.9, { type: 'dent', measurements: { length: 12.7, unit: 'cm' } }),
];
const kinked = (score: number) => [
  hit('quarter_panel_left', 2.4, { damage_id: 'kink', measurements: { length: 9.3, unit: 'cm' } }),
  ...(score === 0 ? [] : [hit('quarter_panel_left', score, { type: 'dent' })]),
  hit('trunk_lid', 7.8, { type: 'dent', count: 7, measurements: { length: 29.3, unit: 'cm' } }),
];
it.each([
  ['a dent under a scratch', pushed, Array.from({ length: 43 }, (_, i) => (i + 1) / 10), 'US_NORTHEAST'],
  ['a dent next to a kink', kinked, [0, 2, 4.1], 'US_CALIFORNIA'],
])('what is expected behind a panel stays when its dents are pushed: %s', (_, list, scores, region) => {
  const jobs = scores.map((score) =>
    assessed({ damages: list(score), assessment_options: { labor_rate_region: region } }),
  );
  expect(jobs.at(-1)?.data.assessed_damages.map((one) => one.recommended_repair.option)).toContain(
    'pdr_and_paint',
  );
  const bills = jobs.map(({ data }) => data.summary.repair_cost_summary.first_bill?.estimated);
  expect(bills).toEqual(bills.toSorted((a = 0, b = 0) => a - b));
});

it.each([
  ['what is not pushed, capped', pushed(3.5), 'pdr_and_paint'],
  ['a long scratch', [hit('hood', 4.9, { type: 'scratch', measurements: { length: 60 } })], 'panel_refinish'],
  ['hail', [hit('roof', 4, { type: 'dent', count: 9 })], 'panel_repair'],
  [
    'a dent and scratches',
    [6, 4, 3].map((score, i) => hit('hood', score, { type: i ? 'scratch' : 'dent', damage_id: `d${i}` })),
    'panel_repair',
  ],
  [
    'a plastic scratch and a crack',
    ['scratch', 'crack'].map((type) => hit('front_bumper', 3, { type, damage_id: type })),
    'panel_repair',
  ],
])('the trace says the hours of the body line: %s', (_, damages, option) => {
  const given = { damage_id: damages[0]?.damage_id, option };
  const { data } = assessed({ damages, overrides: [given] });
  const { explain = [] } =
    data.assessed_damages[0]?.repair_options.find((one) => one.option === option) ?? {};
  const last = explain.findLast(({ rule }) => rule.startsWith('judgment.'));
  const ids = new Set(
    damages.filter((one) => one.location === damages[0]?.location).map((one) => one.damage_id),
  );
  const line = data.estimate.lines.find(
    (one) => one.operation === 'Rpr' && one.damage_ids.some((id) => ids.has(id)),
  );
  expect(last?.inputs.hours).toBe(line?.hours);
});
