// @module-tag slow: rows are fitted to jobs
import { expect, it } from 'vitest';
import { type ClosedJob, fitShop, makeShopRegion } from '../../../src/pricing/fit-shop.ts';
import { createPricingContext, findRegion, withRegions } from '../../../src/pricing/index.ts';
import { findFactors } from '../../../src/pricing/option/spread.ts';
import { checkRegions } from '../../../src/pricing/tables/check-regions.ts';
import { assessed, TABLES } from '../../helpers/pricing/assessments.ts';

/** Jobs of a shop at 0.8 of the rates, with half of what is expected, whose bills are up to `off` away from that. */
const makeJobs = (count: number, off: number): ClosedJob[] =>
  Array.from({ length: count }, (_, i) => {
    const [labor, goods] = [500 + ((i * 137) % 900), 200 + ((i * 271) % 1700)];
    const [expectedLabor, expectedGoods] = [(i % 3) * 300, (i % 4) * 150];
    const bill = 0.8 * (labor + 0.5 * expectedLabor) + goods + 0.5 * expectedGoods;
    return {
      labor,
      goods,
      expectedLabor,
      expectedGoods,
      bill: bill * (1 + off * (((i * 37) % 11) / 5 - 1)),
    };
  });

it('finds the rates and shares that the bills were made with', () => {
  const fit = fitShop(makeJobs(40, 0));
  expect(fit).toMatchObject({ jobs: 40, rates: 0.8, expected: 0.5, low: 1, high: 1 });
  expect(fit.crossValidated).toMatchObject({ median: expect.closeTo(1, 6), deviation: expect.closeTo(0, 6) });
});

it.each([20, 40, 120])(
  '%i jobs that differ by a fifth: the others price each, about eight of ten in the range',
  (count) => {
    const fit = fitShop(makeJobs(count, 0.2));
    expect(fit.crossValidated.deviation).toBeLessThan(fit.unfitted.deviation);
    expect(fit.crossValidated.withinRange / count).toBeGreaterThanOrEqual(0.65);
    expect(fit.high / fit.low).toBeLessThan(1.6);
  },
);

it('a region that was fitted is valid, and its rates, shares and range are those used', () => {
  const jobs = makeJobs(40, 0.2);
  const row = makeShopRegion(findRegion(TABLES, 'US_MIDWEST'), 'MY_SHOP', fitShop(jobs), '2026-11-24');
  const file = { name: 'own', version: '1', effective_date: '2026-11-24', rows: [row] };
  const table = checkRegions(structuredClone(file), 'mine.json', new Date('2026-11-24T12:00:00Z'));
  const tables = withRegions(TABLES, table);
  const ctx = createPricingContext(tables, { region: 'MY_SHOP', currency: 'USD' });
  expect(ctx.rates.body.est / 11_500).toBeCloseTo(fitShop(jobs).rates, 2);
  expect(ctx.rates.body.min).toBe(ctx.rates.body.max);
  expect(findFactors('hood', 0, ctx)).toEqual({ min: row.spread?.low, est: 1, max: row.spread?.high });
  const shares = (of: typeof tables, region: string) =>
    assessed(
      {
        damages: [{ damage_id: 'a', type: 'crack', location: 'front_bumper', severity: 'severe' }],
        assessment_options: { labor_rate_region: region },
      },
      of,
    ).data.estimate.lines?.flatMap((line) => line.share_of_jobs ?? []) ?? [];
  const [ours = 0, theirs = 1] = [shares(tables, 'MY_SHOP')[0], shares(TABLES, 'US_MIDWEST')[0]];
  expect(ours / theirs).toBeCloseTo(row.expected?.share ?? 0, 2);
});
