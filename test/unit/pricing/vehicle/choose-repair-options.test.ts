// @module-tag slow: a law over a hundred vehicles
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gradeClaim } from '../../../../src/domain/judge/severity-floor.ts';
import { PART_NAMES } from '../../../../src/domain/parts.ts';
import { checkAssessmentRequest, readDamage } from '../../../../src/engine/assess/read.ts';
import { createPricingContext, type Tables } from '../../../../src/pricing/index.ts';
import { priceOptions } from '../../../../src/pricing/option/recommend.ts';
import { findTarget } from '../../../../src/pricing/option/target.ts';
import { assessVehicle } from '../../../../src/pricing/vehicle/assess-vehicle.ts';
import { weighExpected } from '../../../../src/pricing/vehicle/expected-weight.ts';
import { groupByPanel } from '../../../../src/pricing/vehicle/panel-repair.ts';
import { estimateVehicle } from '../../../../src/pricing/vehicle/vehicle.ts';
import { priceVehicle } from '../../../../src/pricing/vehicle/vehicle-price.ts';
import { assessed, TABLES } from '../../../helpers/pricing/assessments.ts';
import { body } from '../../../helpers/pricing/random-claims.ts';

const EXTERIOR = PART_NAMES.slice(0, 13);

/** Five spots of rust on the moulding of a part: a touch-up by themselves. */
const onTrim = (location: string) => ({
  damage_id: location,
  type: 'rust',
  location,
  subtype: 'trim_damage',
  severity_score: 1.5,
  count: 5,
});
const HOOD = { damage_id: 'hood', type: 'scratch', location: 'hood', severity: 'moderate' };

/** US_CALIFORNIA: 175 USD an hour, paint materials 60.00 per refinish hour; three-stage paint. */
function estimateOf(damages: readonly object[], overrides: readonly object[] = [], tables: Tables = TABLES) {
  const request = {
    vehicle_id: 'veh',
    vehicle: { paint: 'three_stage' },
    assessment_options: { labor_rate_region: 'US_CALIFORNIA' },
    damages,
    overrides,
  };
  const { data } = assessed(request, tables);
  const costs = data.summary.repair_cost_summary;
  return {
    total: costs.adjusted_total.estimated,
    options: listWays(request, tables),
    adjustments: Object.fromEntries(
      costs.adjustments
        .filter((line) => line.hours !== 0 || line.estimated !== 0)
        .map((line) => [line.code, [line.hours, line.estimated]]),
    ),
  };
}

/** The way in which each panel is repaired. */
function listWays(request: object, tables: Tables) {
  const call = checkAssessmentRequest(request, ['US_CALIFORNIA'], ['USD']);
  const ctx = createPricingContext(tables, {
    region: 'US_CALIFORNIA',
    currency: 'USD',
    paint: 'three_stage',
  });
  const claims = call.damages.map((damage) => {
    const override = call.overrides.find((one) => one.damage_id === damage.id);
    return override === undefined ? damage : { ...damage, override: { ...override, field: 'overrides' } };
  });
  const { estimate } = assessVehicle(claims, { asOfYear: 2026 }, ctx);
  return estimate.panels.map(({ option }) => option.plan.option);
}

/** The shipped tables with a cap and fees of California. */
function california(own: Pick<Tables['regions']['rows'][number], 'caps' | 'fees'>): Tables {
  const rows = TABLES.regions.rows.map((row) => (row.code === 'US_CALIFORNIA' ? { ...row, ...own } : row));
  return { ...TABLES, regions: { ...TABLES.regions, rows } };
}
const CAP = { materials: 20, source: 'test' };
const WASTE = { name: 'waste', amount: 15, on: 'painted', source: 'test' } as const;

describe('ways of repair chosen over the vehicle', { timeout: 30_000 }, () => {
  it('a moulding by itself is touched up', () => {
    // 1.0 + 0.2 x 1.5 = 1.3 h x 175 = 227.50 + 30
    const alone = { total: 257.5, options: ['paint_touch_up'], adjustments: {} };
    expect(estimateOf([onTrim('front_fender_left')])).toEqual(alone);
  });

  it('next to a hood that is painted, it is painted too', () => {
    // An hour of refinish is 175 + 60 = 235.00. Hood: 4.0 x 0.3 = 1.2 h x 175 = 210.00; 3.0 + three-stage 2.1 = 5.1 x 235
    // -> 1,408.50. Moulding painted alone: 0.2 + 4 x 0.1 = 0.6 h x 175 = 105.00; 0.4 + 0.3 = 0.7 x 235 -> 269.50.
    expect(estimateOf([HOOD, onTrim('front_fender_left')])).toEqual({
      total: 1584, // 1,408.50 + 257.50 + 12.00 - 47.00 - 47.00; touched up, 1,666.00
      options: ['panel_repair', 'panel_refinish'],
      adjustments: {
        // 0.6 + 0.7 h, not 1.3: 269.50 - 257.50. A minor panel after the first: -0.2 h. Singly 2.1 + 0.3 = 2.4 h of stages;
        // 2.1 + 0.4 x 0.2 -> 2.2: -0.2 h. 12 - 47 - 47
        one_repair_per_vehicle: [-0.4, -82],
      },
    });
  });

  it('a cap on paint materials has a moulding painted that would be touched up', () => {
    // 105.00 + 0.7 x 175 -> 122.50 + materials at the cap 20.00, not 42.00; touched up, 257.50
    expect(estimateOf([onTrim('front_fender_left')], [], california({ caps: CAP }))).toEqual({
      total: 247.5,
      options: ['panel_repair'],
      adjustments: { one_repair_per_vehicle: [0, -10] }, // 269.50 - 257.50 - 22.00 above the cap
    });
  });

  it('a fee for painted vehicles has it touched up again', () => {
    // 247.50 + 15.00, more than 257.50
    const tables = california({ caps: CAP, fees: [WASTE] });
    const touched = { total: 257.5, options: ['paint_touch_up'], adjustments: {} };
    expect(estimateOf([onTrim('front_fender_left')], [], tables)).toEqual(touched);
  });

  it('next to a glass part there is nothing to share', () => {
    const { options } = estimateOf([
      onTrim('front_fender_left'),
      { damage_id: 'glass', type: 'shattered_glass', location: 'windshield' },
    ]);
    expect(options).toEqual(['paint_touch_up', 'glass_replacement']);
  });

  it.each([
    ['option', { option: 'paint_touch_up' }],
    ['hours', { hours: 1.4 }],
    ['price', { price: 31 }],
  ])('an adjuster who names the %s keeps the way', (_, figure) => {
    const override = { damage_id: 'front_fender_left', ...figure };
    expect(estimateOf([HOOD, onTrim('front_fender_left')]).options[0]).toBe('panel_repair');
    const { options } = estimateOf([HOOD, onTrim('front_fender_left')], [override]);
    expect(options[0]).toBe('paint_touch_up');
  });

  it('an adjuster who names the way of one damage keeps the way of its panel', () => {
    const twice = [
      HOOD,
      { ...onTrim('front_fender_left'), severity_score: 0.5 },
      { ...onTrim('front_fender_left'), damage_id: 'second' },
    ];
    const { options } = estimateOf(twice, [{ damage_id: 'second', option: 'component_replacement' }]);
    expect(options[0]).toBe('component_replacement');
  });

  it.each([2, 3])('%i mouldings are painted together where the first alone would not pay', (count) => {
    // Painted: 0.6 h of body work each. Two: base 0.4 + 0.2, three-stage 0.28 + 0.08 -> 0.4: 1.2 x 175 + 1.0 x 235
    // = 445.00, not 515.00. Three: 0.8 + 0.4 = 1.2: 1.8 x 175 + 1.2 x 235 = 597.00.
    expect(estimateOf(EXTERIOR.slice(0, count).map(onTrim))).toMatchObject({
      total: { 2: 445, 3: 597 }[count],
      options: Array.from({ length: count }, () => 'panel_repair'),
    });
  });

  it('as many mouldings as there are panels are painted together', () => {
    // 13 x 0.6 = 7.8 h x 175 = 1,365.00; base 0.4 + 12 x 0.2 = 2.8, three-stage 0.28 + 0.96 -> 1.2: 4.0 x 235 = 940.00.
    // Touched up: 13 x 257.50 = 3,347.50.
    expect(estimateOf(EXTERIOR.map(onTrim))).toMatchObject({
      total: 2305,
      options: EXTERIOR.map(() => 'panel_repair'),
    });
  });

  it.each(['off', 'likely', 'all'] as const)(
    'of all combinations the cheapest is taken, %s: at the price that the lines add up to',
    (associated) => {
      const claims = fc.array(body, { minLength: 1, maxLength: 4 });
      const paint = fc.constantFrom('solid' as const, 'metallic' as const, 'three_stage' as const);
      const tables = california({ caps: { materials: 150, source: 'test' }, fees: [WASTE] });
      fc.assert(
        fc.property(claims, paint, (damages, of) => {
          const ctx = createPricingContext(tables, {
            region: 'US_CALIFORNIA',
            currency: 'USD',
            paint: of,
            associated,
          });
          const items = damages.map((one, i) => {
            const claim = readDamage({ damage_id: `d${i}`, ...one } as Parameters<typeof readDamage>[0]);
            const damage = { ...claim, ...gradeClaim(claim) };
            const options = priceOptions([damage], findTarget(damage, ctx), ctx);
            return { id: claim.id, damage, options, chosen: options.recommended, changes: [], trace: [] };
          });
          const all = groupByPanel(items, ctx).map(({ alternatives, ...panel }) =>
            [panel.option, ...alternatives].map((option) => ({ ...panel, option })),
          );
          const combinations = all.reduce(
            (begun, ways) => begun.flatMap((one) => ways.map((way) => [...one, way])),
            [[]] as (typeof all)[number][],
          );
          const { firstBill } = estimateVehicle(items, ctx);
          const hits = items.map(({ damage, options: { target } }) => ({ damage, target }));
          const weight = weighExpected(hits, ctx);
          const totals = combinations.map((one) => priceVehicle(one, weight, ctx).totalMinor);
          expect(firstBill.est).toBe(Math.min(...totals));
        }),
        { numRuns: 100 },
      );
    },
  );
});
