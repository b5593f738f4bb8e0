import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PartName } from '../../../src/domain/parts.ts';
import { createPricingContext } from '../../../src/pricing/pricing-context.ts';
import { TABLES } from '../../helpers/pricing/assessments.ts';
import { lookUpFigure, MEDIANS } from '../../helpers/pricing/published-medians.ts';

const README = readFileSync(new URL('../../../src/pricing/README.md', import.meta.url), 'utf8');
const ctx = createPricingContext(TABLES, { region: 'US_MIDWEST', currency: 'USD' });

const rows = Object.entries(MEDIANS).flatMap(([part, medians]) =>
  Object.entries(medians).map(([measure, median]) => {
    const value = lookUpFigure(part as PartName, measure, ctx);
    return { part, measure, median, value, deviation: Math.round((value / median - 1) * 100) };
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
