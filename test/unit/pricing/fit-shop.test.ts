// @module-tag slow: rows are fitted to jobs
import { expect, it } from 'vitest';
import { type ClosedJob, fitShop, makeShopTable } from '../../../src/pricing/fit-shop.ts';
import { findSpreadFactors } from '../../../src/pricing/option/spread.ts';
import { createPricingContext } from '../../../src/pricing/pricing-context.ts';
import { findRegion, withRegions } from '../../../src/pricing/tables/regions.ts';
import { assessed, TABLES } from '../../helpers/pricing/assessments.ts';

/** Jobs of a shop at 0.8 of the estimates, whose bills are up to `off` away from that. */
const makeJobs = (count: number, off: number): ClosedJob[] =>
  Array.from({ length: count }, (_, i) => {
    const estimate = 700 + ((i * 137) % 2900);
    return { estimate, bill: 0.8 * estimate * (1 + off * (((i * 37) % 11) / 5 - 1)) };
  });

it('finds the factor that the bills were made with', () => {
  expect(fitShop(makeJobs(40, 0))).toEqual({
    jobs: 40,
    factor: expect.closeTo(0.8, 9),
    low: expect.closeTo(1, 9),
    high: expect.closeTo(1, 9),
    jobsWithinRange: expect.any(Number),
  });
});

it.each([20, 40, 120])('%i jobs that differ by a fifth: the range holds about eight of ten', (count) => {
  const { factor, low, high, jobsWithinRange } = fitShop(makeJobs(count, 0.2));
  expect(factor).toBeCloseTo(0.8, 1);
  expect(jobsWithinRange / count).toBeGreaterThanOrEqual(0.65);
  expect(jobsWithinRange / count).toBeLessThanOrEqual(0.95);
  expect(high / low).toBeLessThan(1.6);
});

it.each([
  ['too far apart', 1, 30, /rows\[0\] \(MY_SHOP\)\.spread\.high: is 30/],
  ['in another currency', 180, 180, /price_level\.parts: is 180/],
])('bills %s give no region that its reader refuses', (_, most, few, fault) => {
  const bills = Array.from({ length: 24 }, (_one, i) => (i < 18 ? most : few));
  const fit = fitShop(bills.map((bill) => ({ estimate: 1, bill })));
  const make = () => makeShopTable(findRegion(TABLES, 'US_MIDWEST'), fit, '2026-11-24');
  expect(make).toThrow(fault);
  expect(make).toThrow(expect.objectContaining({ hint: expect.stringContaining(`is ${most}.00 of`) }));
});

it.each(TABLES.regions.rows.map((row) => [row.code]))('a shop of %s prices all by its factor', (code) => {
  const fit = fitShop(makeJobs(40, 0.2));
  const table = makeShopTable(findRegion(TABLES, code), fit, '2026-11-24');
  const tables = withRegions(TABLES, table);
  const { currency, spread, level_note, price_level } = findRegion(tables, 'MY_SHOP');
  expect([level_note, price_level?.glass_dealer]).toEqual([undefined, undefined]);
  const ctx = createPricingContext(tables, { region: 'MY_SHOP', currency });
  expect(ctx.rates.body.min).toBe(ctx.rates.body.max);
  const firstBill = (region: string, of: typeof tables) =>
    assessed(
      {
        damages: [
          { damage_id: 'a', type: 'crack', location: 'front_bumper', severity: 'severe' },
          { damage_id: 'b', type: 'dent', location: 'hood', severity: 'moderate' },
          { damage_id: 'c', type: 'panel_damage', location: 'front_fender_left', severity: 'critical' },
          { damage_id: 'd', type: 'scratch', subtype: 'wheel_damage', location: 'front_fender_right' },
        ],
        assessment_options: { labor_rate_region: region, currency, associated_operations: 'all' },
      },
      of,
    ).data.summary.repair_cost_summary.first_bill;
  const [own, theirs] = [firstBill('MY_SHOP', tables), firstBill(code, TABLES)];
  expect(own.estimated / theirs.estimated).toBeCloseTo(fit.factor, 3);
  expect(findSpreadFactors('hood', ctx)).toEqual({ min: spread?.low, est: 1, max: spread?.high });
});
