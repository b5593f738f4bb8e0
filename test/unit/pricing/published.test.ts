import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PartName } from '../../../src/domain/parts.ts';
import { choosePart } from '../../../src/pricing/option/plans/new-part.ts';
import { timeRepair } from '../../../src/pricing/option/repair-time.ts';
import { findTarget } from '../../../src/pricing/option/target.ts';
import { createPricingContext } from '../../../src/pricing/pricing-context.ts';
import { TABLES } from '../../helpers/pricing/assessments.ts';
import { MEASURES, MEDIANS, type Measure } from '../../helpers/pricing/published-medians.ts';

const README = readFileSync(new URL('../../../src/pricing/README.md', import.meta.url), 'utf8');
const ctx = createPricingContext(TABLES, { region: 'US_MIDWEST', currency: 'USD' });

/** Our figure for a standard car: a moderate dent, the base refinish with its own clear coat, the table's prices. */
function ours(part: PartName, measure: Measure): number {
  const damage = { type: 'dent', part, severity: 'moderate', severityScore: 3.75 } as const;
  const target = findTarget(damage, ctx);
  const { facts } = target;
  const withClear = (base: number) => Math.round(base * (1 + TABLES.refinish.clear_first) * 10) / 10;
  switch (measure) {
    case 'repair':
      return timeRepair(damage, facts.repair_hours, TABLES.operations).tenths / 10;
    case 'repair_refinish':
      return withClear(facts.refinish_repair_hours);
    case 'replace':
      return facts.replace_hours;
    case 'replace_refinish':
      return withClear(facts.refinish_new_hours);
    case 'remove_install':
      return facts.remove_install_hours;
    default:
      return (choosePart(measure, target)?.priceMinor ?? Number.NaN) / 100;
  }
}

const rows = Object.entries(MEDIANS).flatMap(([part, medians]) =>
  MEASURES.flatMap((measure) => {
    const median = medians[measure];
    if (median === undefined) return [];
    const value = ours(part as PartName, measure);
    return [{ part, measure, median, value, deviation: Math.round((value / median - 1) * 100) }];
  }),
);

test('the README shows every figure that deviates by more than 5 % from its median', () => {
  const far = rows.filter((row) => Math.abs(row.deviation) > 5);
  const table = far.map(
    ({ part, measure, median, value, deviation }) =>
      `| ${part} | ${measure} | ${value} | ${median} | ${deviation > 0 ? '+' : ''}${deviation} % |`,
  );
  for (const line of table) expect(README).toContain(line);
});

test('every deviation above 30 % is explained in the README', () => {
  const far = rows.filter((row) => Math.abs(row.deviation) > 30);
  expect(far.length).toBeLessThanOrEqual(8);
  for (const { part, measure } of far)
    expect(README).toMatch(new RegExp(`^- \\*\\*${part} ${measure}\\*\\*`, 'm'));
});
