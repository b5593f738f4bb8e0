import { expect, it } from 'vitest';
import type { PricingDamage } from '../../../../src/pricing/option/damage.ts';
import { priceOptions } from '../../../../src/pricing/option/recommend.ts';
import { findSpreadFactors } from '../../../../src/pricing/option/spread.ts';
import { findTarget } from '../../../../src/pricing/option/target.ts';
import { createPricingContext } from '../../../../src/pricing/pricing-context.ts';
import { assessed, linesOf, TABLES } from '../../../helpers/pricing/assessments.ts';

const context = (region: string, vehicleClass: 'standard' | 'premium' = 'standard') => {
  const { currency = 'USD' } = TABLES.regions.rows.find((row) => row.code === region) ?? {};
  return createPricingContext(TABLES, { region, currency, vehicleClass });
};
const ways = (damage: PricingDamage, ctx: ReturnType<typeof context>) => {
  const { options, recommended } = priceOptions([damage], findTarget(damage, ctx), ctx);
  const find = (name: string) => options.find(({ plan }) => plan.option === name)?.total.est ?? Number.NaN;
  return { find, recommended: recommended.plan.option };
};

// In China the pen of a touch-up costs more than a spot repair by 2 %.
it.each(TABLES.regions.rows.map(({ code }) => code).filter((code) => !code.startsWith('ASIA_CHINA')))(
  '%s: a touch-up never costs more than a spot repair',
  (code) => {
    for (const severityScore of [1.25, 2, 2.49]) {
      const scratch = { type: 'scratch', part: 'front_door_left', severity: 'minor', sizeCm: 8 } as const;
      const { find } = ways({ ...scratch, severityScore }, context(code));
      expect(find('paint_touch_up')).toBeLessThanOrEqual(find('spot_repair'));
    }
  },
);

it.each(['EU_GERMANY', 'EU_FRANCE'])('%s: the upper end of new glass holds the price of a dealer', (code) => {
  expect(findSpreadFactors('windshield', context(code)).max).toBeGreaterThanOrEqual(1.57 / 0.87);
});

it.each([
  ['EU_GERMANY', 75.6],
  ['US_TEXAS', 100],
])('%s: a stone chip is filled at a flat price, each further one at half', (region, price) => {
  const chip = (damage_id: string) => ({
    damage_id,
    type: 'glass_damage',
    location: 'windshield',
    severity: 'minor',
    measurements: { diameter: 1, unit: 'cm' },
  });
  const { currency } = context(region);
  const options = { labor_rate_region: region, currency };
  const one = assessed({ damages: [chip('a')], assessment_options: options });
  expect(linesOf(one)).toEqual({ 'Rpr windshield': [0.6, price] });
  const two = assessed({ damages: [chip('a'), chip('b')], assessment_options: options });
  expect(two.data.summary.repair_cost_summary.adjusted_total.estimated).toBeCloseTo(price * 1.5, 2);
});

it('hundreds of dents on a side are still pushed out, for more than fewer of them', () => {
  const hail = (count: number): PricingDamage => ({
    type: 'dent',
    part: 'rear_door_left',
    severity: 'minor',
    severityScore: 2,
    sizeCm: 1.5,
    count,
  });
  const prices = [50, 75, 100, 150, 200].map((count) => {
    const { find, recommended } = ways(hail(count), context('US_MIDWEST'));
    expect(recommended).toBe('pdr');
    return find('pdr');
  });
  expect(prices).toEqual([...prices].sort((a, b) => a - b));
});

it.each(TABLES.regions.rows.map(({ code, rate_per_hour }) => [code, rate_per_hour] as const))(
  '%s: the rate stated is the middle of its row and that of the lines, for every class',
  (region, [low = 0, high = 0]) => {
    const { currency } = context(region);
    for (const of of ['economy', 'standard', 'premium']) {
      const { meta, data } = assessed({
        vehicle: { class: of },
        damages: [{ damage_id: 'a', type: 'dent', location: 'hood', severity: 'severe' }],
        assessment_options: { labor_rate_region: region, currency },
      });
      expect(meta.labor_rate_used).toBe((low + high) / 2);
      const body = data.estimate.lines?.filter((line) => line.department === 'body' && line.hours > 0) ?? [];
      expect(body.length).toBeGreaterThan(0);
      for (const line of body) expect(line.rate_per_hour).toBe(meta.labor_rate_used);
    }
  },
);
