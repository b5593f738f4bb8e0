import { expect, it } from 'vitest';
import { OPERATIONS } from '../../../../src/domain/repair.ts';
import { findSpread } from '../../../../src/pricing/option/spread.ts';
import { assessed, TABLES } from '../../../helpers/pricing/assessments.ts';

it('a new lamp: labour at the ends of rate and spread, the part at the ends of its own', () => {
  const { data } = assessed({
    damages: [{ damage_id: 'd', type: 'taillight_damage', location: 'taillight_left', severity: 'severe' }],
  });
  const option = data.assessed_damages[0]?.repair_options.find((one) => one.recommended);
  // 0.3 h x 90 x 0.5 = 13.50, 0.3 h x 140 x 2.0 = 84.00; 311 x 0.35 = 108.85, 311 x 2.9 = 901.90
  expect(option?.cost_range).toMatchObject({ min: 122.35, max: 985.9 });
  expect(option?.total_cost.total).toBe(345.5);
});

it('what the table names is an operation, glass work or a kind of part, with low below and high above ours', () => {
  const parts = ['body_part', 'lamp', 'glass_part', 'mechanical_part', 'consumable', 'sublet'];
  const known = [
    ...OPERATIONS,
    'glass',
    ...parts,
    'lamp_known',
    'glass_part_known',
    'paint_materials',
    'aftermarket_body_part',
  ];
  for (const row of TABLES.spreads.rows) expect(known).toContain(row.of);
  expect(findSpread('R&R', TABLES)).toMatchObject({ low: 0.5, high: 2 });
  expect(findSpread('anything else', TABLES)).toEqual({ low: 1, high: 1 });
});
