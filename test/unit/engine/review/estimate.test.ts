// @module-tag slow: a law over random reviews
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Decision } from '../../../../src/contract/review.ts';
import { makeRequestFromInspection } from '../../../../src/engine/assess/request-from-inspection.ts';
import { pick } from '../../../../src/lib/objects.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';
import { CHK, ONE, review, TWO } from '../../../helpers/results/reviewed-result.ts';

const CRUSHED = { type: 'panel_damage', severity: 'critical' } as const;
const FINDS: readonly Decision[] = [
  { decision: 'change', damage_id: ONE, ...CRUSHED },
  { decision: 'accept', damage_id: CHK },
  { decision: 'add', image_index: 0, box: { x: 120, y: 150, width: 150, height: 100 }, ...CRUSHED },
];
const found = review(FINDS).data.results;
const PARTS = (found?.repair_lines ?? []).flatMap(({ kind, part }) =>
  kind === 'part' && part ? [part] : [],
);
const OPERATIONS = (found?.expected_operations ?? []).map(({ line_id: id }) => id);
const FIELDS = ['kind', 'part', 'cost'] as const;
const estimate = (reviewed: object) =>
  assessed({ ...makeRequestFromInspection(reviewed), vehicle_id: 'veh_test' });
const cents = (amounts: readonly { readonly cost: number }[]) =>
  amounts.reduce((sum, { cost }) => sum + Math.round(cost * 100), 0);

test.each(['exlude', 'constructor'])('the unknown repair decision %s removes no line', (decision) => {
  const { data } = review(FINDS);
  const result = { data, review: { repair: [{ decision, line_id: OPERATIONS[0] }] } };
  expect(() => makeRequestFromInspection(result)).toThrow(
    `review.repair[0].decision is "${decision}", which is not known.`,
  );
});

test('a severity stated below a floor holds for the damage, its repair and its estimate', () => {
  const stated = { part: 'rear_window', type: 'crack', severity: 'minor' } as const;
  const box = { x: 320, y: 120, width: 10, height: 8 };
  const reviewed = review([
    { decision: 'change', damage_id: ONE, box, ...stated },
    { decision: 'reject', damage_id: TWO },
  ]);
  const { damages: [one] = [], repair_cost } = reviewed.data.results ?? {};
  const { assessed_damages: damages, summary } = estimate(reviewed).data;
  expect(one).toMatchObject({ severity: 'minor', severity_score: 2.1 });
  expect(damages).toMatchObject([{ severity: 'minor', severity_score: 2.1 }]);
  expect(repair_cost?.estimated).toBe(one?.estimated_repair.estimated);
  expect(summary.repair_cost_summary.first_bill).toEqual(repair_cost?.first_bill);
});

test('a reviewed estimate, its rows and its lines come to the reviewed price to the cent', () => {
  expect([PARTS.length, OPERATIONS.length > 9]).toEqual([3, true]);
  const prices = fc.dictionary(fc.constantFrom(...PARTS), fc.integer({ min: 0, max: 900_000 }));
  const picks = fc.dictionary(fc.constantFrom(...OPERATIONS), fc.constantFrom('include', 'exclude'));
  // Damage drawn on the front bumper makes its removal, an operation of the fender, part of its own repair.
  const parts = fc.subarray(['front_bumper', 'headlight_left', 'hood']);
  fc.assert(
    fc.property(prices, picks, parts, (costs, picked, drawn) => {
      const box = { x: 5, y: 5, width: 200, height: 200 };
      const crack = { decision: 'add', image_index: 0, box, type: 'crack', severity: 'moderate' };
      const added = drawn.map((part) => ({ ...crack, part }));
      const repair = [
        ...Object.entries(costs).map(([line, minor]) => ({ decision: 'price', line, cost: minor / 100 })),
        ...Object.entries(picked).map(([line_id, decision]) => ({ decision, line_id })),
      ];
      const reviewed = review([...FINDS, ...([...added, ...repair] as Decision[])]);
      const { repair_cost: cost, repair_lines: rows = [] } = reviewed.data.results ?? {};
      const assessment = estimate(reviewed);
      const { summary, estimate: made } = assessment.data;
      expect(summary.repair_cost_summary.first_bill).toEqual(cost?.first_bill);
      const [own, expected] = [made.repair_lines, rows].map((list) => list.map((row) => pick(row, FIELDS)));
      expect(own).toEqual(expected);
      expect(cents(rows)).toBe(Math.round((cost?.estimated ?? 0) * 100));
      for (const [part, minor] of Object.entries(costs))
        expect(rows.find((row) => row.part === part)?.cost).toBe(minor / 100);
      const counted = made.lines.filter((line) => line.counted_in === 'total');
      const { adjusted_total: total } = summary.repair_cost_summary;
      expect(cents(counted.map(({ amount: cost }) => ({ cost })))).toBe(Math.round(total.estimated * 100));
    }),
    { numRuns: 8, seed: 7 },
  );
});
