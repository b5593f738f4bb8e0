import { checkRegions } from '../../../src/pricing/tables/check-regions.ts';
import { findRegion, withRegions } from '../../../src/pricing/tables/regions.ts';
import { assessed, TABLES, workOf } from './assessments.ts';

/** The region that the shop's table starts from. */
export const MIDWEST = findRegion(TABLES, 'US_MIDWEST');

/** A damage for which the cover of the bumper is replaced and painted. */
export const BUMPER = { type: 'crack', location: 'front_bumper', severity: 'severe' };

/** Returns the tables with a shop of its own, made from the Midwest with these columns. */
export function withShop(row: object, tables = TABLES) {
  const table = {
    name: 'mine',
    version: '1',
    effective_date: '2026-11-01',
    rows: [{ ...MIDWEST, code: 'MY_SHOP', ...row }],
  };
  return withRegions(tables, checkRegions(table, 'mine.json'));
}

/** Prices damages at the shop and returns the first one's recommended repair and the vehicle's figures. */
export function priceAtShop(
  tables: ReturnType<typeof withShop>,
  damages: readonly object[],
  { currency = 'USD', ...vehicle }: { currency?: string; [fact: string]: unknown } = {},
) {
  const { data, meta } = assessed(
    {
      damages: damages.map((damage, i) => ({ damage_id: `d${i}`, ...damage })),
      vehicle,
      assessment_options: { labor_rate_region: 'MY_SHOP', currency, associated_operations: 'off' },
    },
    tables,
  );
  const option = data.assessed_damages[0]?.repair_options.find((one) => one.recommended);
  return {
    meta,
    option: option?.option,
    part: option?.parts_required[0]?.oem_price,
    lines: Object.fromEntries(workOf({ data }).map((line) => [`${line.operation} ${line.part}`, line])),
    total: option?.total_cost.total,
    vehicle: data.summary.repair_cost_summary.adjusted_total.estimated,
    departments: Object.fromEntries(
      data.summary.repair_cost_summary.departments.map((row) => [row.department, row]),
    ),
  };
}
