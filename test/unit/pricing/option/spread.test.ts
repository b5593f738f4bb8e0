import { expect, it } from 'vitest';
import { createPricingContext, type Tables } from '../../../../src/pricing/index.ts';
import { findFactors } from '../../../../src/pricing/option/spread.ts';
import { assessed, TABLES } from '../../../helpers/pricing/assessments.ts';

const SPREADS = {
  ...TABLES.spreads,
  labour_share: 0.4,
  rows: [
    { of: 'panel', low: 0.7, high: 1.5, figures: 1, source: 'test' },
    { of: 'lamp', low: 0.5, high: 3, figures: 1, source: 'test' },
    { of: 'collision', low: 0.8, high: 2, figures: 1, source: 'test' },
  ],
  narrows: [
    { fact: 'class', of: ['panel'], by: 0.9, source: 'test' },
    { fact: 'paint', of: ['panel'], by: 0.8, source: 'test' },
  ],
} as const satisfies Partial<Tables['spreads']>;
const factorsOf = (
  part: string,
  weight = 0,
  facts: object = {},
  rate: readonly [number, number] = [100, 100],
) => {
  const rows = TABLES.regions.rows.map((row) =>
    row.code === 'US_TEXAS' ? { ...row, rate_per_hour: [...rate] as [number, number] } : row,
  );
  const tables = {
    ...TABLES,
    spreads: SPREADS,
    regions: { ...TABLES.regions, rows },
  } as unknown as Tables;
  const ctx = createPricingContext(tables, { region: 'US_TEXAS', currency: 'USD', ...facts });
  return findFactors(part, weight, ctx);
};

it.each([
  ['a panel', factorsOf('hood'), 0.7, 1.5],
  ['a lamp', factorsOf('headlight_left'), 0.5, 3],
  ['a part without a row', factorsOf('fender_liner'), 0.7, 1.5],
  ['half a collision', factorsOf('hood', 0.5), 0.75, 1.75],
  ['a collision', factorsOf('hood', 1), 0.8, 2],
  ['a lamp in one: its own end is the wider', factorsOf('headlight_left', 1), 0.8, 3],
  [
    'class and paint known',
    factorsOf('hood', 0, { vehicleClass: 'standard', paint: 'solid' }),
    0.7 ** 0.72,
    1.5 ** 0.72,
  ],
  ['paint not known', factorsOf('hood', 0, { paint: 'unknown' }), 0.7, 1.5],
  // 100 of 75 to 125: 0.4 x 0.25 = 0.1 next to 0.3 and 0.5
  [
    'a rate with ends',
    factorsOf('hood', 0, {}, [75, 125]),
    1 - Math.hypot(0.3, 0.1),
    1 + Math.hypot(0.5, 0.1),
  ],
] as const)('%s', (_, { min, max }, low, high) => {
  expect([min, max]).toEqual([expect.closeTo(low, 9), expect.closeTo(high, 9)]);
});

it('a damage has the ends of its part, whatever the way of repair', () => {
  const { data } = assessed({
    damages: [{ damage_id: 'd', type: 'taillight_damage', location: 'taillight_left', severity: 'severe' }],
  });
  const [lamp] = data.assessed_damages;
  for (const { total_cost, cost_range } of lamp?.repair_options ?? []) {
    expect(cost_range.min / total_cost.total).toBeCloseTo(0.575, 3);
    expect(cost_range.max / total_cost.total).toBeCloseTo(1.882, 3);
  }
});
