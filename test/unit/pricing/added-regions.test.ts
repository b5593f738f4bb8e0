import { describe, expect, it } from 'vitest';
import { createPricingContext } from '../../../src/pricing/pricing-context.ts';
import { checkRegions } from '../../../src/pricing/tables/check-regions.ts';
import { findRegion, withRegions } from '../../../src/pricing/tables/regions.ts';
import { TABLES } from '../../helpers/pricing/assessments.ts';

describe('regions of the user next to those of the product', () => {
  it('may leave its departments out: each takes the rate of the region', () => {
    const { departments: _, ...row } = findRegion(TABLES, 'US_TEXAS');
    const table = checkRegions({ ...TABLES.regions, rows: [row] }, 'mine.json');
    expect(table.rows[0]?.departments).toEqual({});
  });

  it('adds rows and replaces those of the same code; departments stand in for the rate', () => {
    const [row] = TABLES.regions.rows;
    if (row === undefined) throw new Error('no rows');
    const mine = {
      ...TABLES.regions,
      version: 'mine',
      rows: [
        {
          ...row,
          code: 'EU_SPAIN',
          currency: 'EUR',
          rate_per_hour: [40, 60],
          departments: { refinish: [50, 70], materials: [20, 30] },
        },
        { ...row, code: 'US_TEXAS', rate_per_hour: [10, 20] },
      ],
    };
    const tables = withRegions(TABLES, checkRegions(mine, 'mine.json'));
    expect(tables.regions.rows).toHaveLength(TABLES.regions.rows.length + 1);
    expect(tables.regions.version).toBe('2026.7+mine');
    expect(findRegion(tables, 'US_TEXAS').rate_per_hour).toEqual([10, 20]);
    const ctx = createPricingContext(tables, { region: 'EU_SPAIN', currency: 'EUR' });
    expect(ctx.rates.body).toEqual({ min: 4000, est: 5000, max: 6000 });
    expect(ctx.rates.refinish.est).toBe(6000);
    expect(ctx.materials.est).toBe(2500);
  });
});
