import { expect, it } from 'vitest';
import { addSpreads, findSpreadFactors } from '../../../../src/pricing/option/spread.ts';
import { createPricingContext } from '../../../../src/pricing/pricing-context.ts';
import type { Tables } from '../../../../src/pricing/tables/load.ts';
import { assessed, TABLES } from '../../../helpers/pricing/assessments.ts';

const SPREADS = {
  ...TABLES.spreads,
  panel: { low: 0.7, high: 1.5, figures: 1, source: 'test' },
  lamp: { low: 0.5, high: 3, figures: 1, source: 'test' },
  joint: { power: 2, figures: 1, source: 'test' },
} satisfies Tables['spreads'];
const ctx = createPricingContext({ ...TABLES, spreads: SPREADS }, { region: 'US_TEXAS', currency: 'USD' });

it.each([
  ['a panel', 'hood', 0.7, 1.5],
  ['a lamp', 'headlight_left', 0.5, 3],
  ['a part without a row', 'fender_liner', 0.7, 1.5],
])('%s', (_, part, min, max) => {
  expect(findSpreadFactors(part, ctx)).toEqual({ min, est: 1, max });
});

const NONE = { min: 0, est: 0, max: 0 };
const PANEL = { min: 70, est: 100, max: 140 };

it('two independent parts lie apart by the root of both squares', () => {
  const other = { min: 60, est: 100, max: 130 };
  // 30 and 40 below: 50; 40 and 30 above: 50.
  expect(addSpreads([PANEL, other], NONE, ctx)).toEqual({ min: 150, est: 200, max: 250 });
});

it('what the whole vehicle needs goes with the largest, and alone with itself', () => {
  expect(addSpreads([PANEL], { min: 7, est: 10, max: 14 }, ctx)).toEqual({ min: 77, est: 110, max: 154 });
  expect(addSpreads([], PANEL, ctx)).toEqual(PANEL);
});

it("a shop's own range is that of its whole jobs", () => {
  const own = { low: 0.8, high: 1.3, jobs: 20, source: 'test' };
  const shop = { ...ctx, region: { ...ctx.region, spread: own } };
  expect(addSpreads([PANEL, PANEL], NONE, shop)).toEqual({ min: 140, est: 200, max: 280 });
  // A dealer's price of glass is in the bills of the shop already.
  const price_level = { parts: 1, glass: 0.5, glass_hours: 1, pdr: 1, glass_dealer: 1.5, source: 'test' };
  const glass = { ...shop, region: { ...shop.region, price_level } };
  expect(findSpreadFactors('windshield', glass).max).toBe(1.3);
});

it('a damage has the ends of its part, whatever the way of repair', () => {
  const { data } = assessed({
    damages: [{ damage_id: 'd', type: 'taillight_damage', location: 'taillight_left', severity: 'severe' }],
  });
  const [lamp] = data.assessed_damages;
  for (const { total_cost, cost_range } of lamp?.repair_options ?? []) {
    expect(cost_range.min / total_cost.total).toBeCloseTo(0.65, 3);
    expect(cost_range.max / total_cost.total).toBeCloseTo(1.85, 3);
  }
});
