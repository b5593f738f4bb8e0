import { expect, it } from 'vitest';
import type { Damage } from '../../../../src/contract/inspection.ts';
import type { Decision } from '../../../../src/contract/review.ts';
import { priceRepair } from '../../../../src/engine/inspect/price-repair.ts';
import { createPricer } from '../../../../src/engine/pricer.ts';
import { readRepairEdits } from '../../../../src/engine/review/repair-edits.ts';
import { TABLES } from '../../../helpers/pricing/assessments.ts';

const damage = (id: string, type: string, part: string, severity_score: number) =>
  ({
    damage_id: id,
    type,
    location: { part },
    severity: severity_score < 5 ? 'moderate' : 'severe',
    severity_score,
    measurements: { length: 30, unit: 'cm' },
    image_url: `${id}.jpg`,
    explain: [],
  }) as unknown as Damage;
const DAMAGES = [
  damage('a', 'dent', 'front_bumper', 6.2),
  damage('b', 'dent', 'hood', 5.4),
  damage('c', 'scratch', 'front_fender_left', 3),
];
const decide = (decisions: readonly Decision[] = [], damages = DAMAGES) => {
  const pricer = createPricer(TABLES, 'US_CALIFORNIA', undefined);
  const repair = priceRepair(damages, [], pricer, readRepairEdits(decisions, pricer.currency));
  const { repair_cost, repair_lines, expected_operations: expected = [] } = repair;
  const cents = repair_lines.reduce((sum, row) => sum + Math.round(row.cost * 100), 0);
  expect(cents, 'rows add up').toBe(Math.round(repair_cost.estimated * 100));
  return { repair_cost, repair_lines, expected };
};

it('offers what usually comes with the repair, each once, by share of jobs', () => {
  const { expected } = decide();
  expect(new Set(expected.map((one) => one.line_id)).size).toBe(expected.length);
  const tint = { part: 'color_tint', share_of_jobs: 0.94, counted_in: 'first_bill' };
  expect(expected.find((one) => one.line_id === 'color_tint/refn')).toMatchObject(tint);
});

it('says that the first bill of a scratch alone holds none of it', () => {
  const { expected, repair_cost } = decide(undefined, DAMAGES.slice(2));
  expect(new Set(expected.map((one) => one.counted_in))).toEqual(new Set(['none']));
  expect(repair_cost.first_bill).toEqual(repair_cost.as_seen);
});

it('offers nothing where nothing is repaired', () => {
  expect(priceRepair([], [], createPricer(TABLES, 'EU_UK', undefined)).expected_operations).toBeUndefined();
});

it('counts an accepted operation in full, and a refused one not at all', () => {
  const [before, id] = [decide(), 'scan_before_repair/subl'];
  const accepted = decide([{ decision: 'include', line_id: id }]);
  const refused = decide([{ decision: 'exclude', line_id: id }]);
  const stands = (of: typeof before) => of.expected.find((one) => one.line_id === id)?.counted_in;
  expect([before, accepted, refused].map(stands)).toEqual(['first_bill', 'total', 'none']);
  const [usual, more] = [before, accepted].map(({ repair_cost: { as_seen: cost } }) => cost.estimated);
  expect(more).toBeCloseTo((usual ?? 0) + 125, 2);
  expect(refused.repair_cost.estimated).toBeLessThan(before.repair_cost.estimated);
});

it.each([0, 899.99])('a price of %d for a part leaves the others as they are, and has no range', (cost) => {
  const { repair_lines: lines, repair_cost } = decide([{ decision: 'price', line: 'hood', cost }]);
  expect(lines.find(({ part, kind }) => part === 'hood' && kind === 'part')?.cost).toBe(cost);
  const usual = decide();
  const others = (of: typeof lines) => of.filter(({ part }) => part !== null && part !== 'hood');
  expect(others(lines)).toEqual(others(usual.repair_lines));
  const width = ({ min, max }: typeof repair_cost) => max - min;
  expect(width(repair_cost)).toBeLessThan(width(usual.repair_cost));
});

it('passes over what no finding brings any more', () => {
  const stale: Decision[] = [
    { decision: 'include', line_id: 'fender_liner/rr' },
    { decision: 'exclude', line_id: 'gone' },
    { decision: 'price', line: 'roof', cost: 10 },
  ];
  expect(decide(stale)).toEqual(decide());
});

it('names the price tables of a result by their content', () => {
  const nameOf = (one: typeof TABLES) => createPricer(one, 'US_MIDWEST', undefined).region.tables_sha256;
  expect(nameOf(TABLES)).toMatch(/^[0-9a-f]{64}$/);
  expect(nameOf(structuredClone(TABLES))).toBe(nameOf(TABLES));
  expect(nameOf({ ...TABLES, spreads: { ...TABLES.spreads, version: 'another' } })).not.toBe(nameOf(TABLES));
});
