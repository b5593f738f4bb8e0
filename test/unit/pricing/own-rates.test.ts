import { describe, expect, it } from 'vitest';
import { listRequestCurrencies } from '../../../src/pricing/currencies.ts';
import { createPricingContext } from '../../../src/pricing/pricing-context.ts';
import { assessed, TABLES } from '../../helpers/pricing/assessments.ts';
import { BUMPER, priceAtShop, withShop } from '../../helpers/pricing/own-shop.ts';

describe("a shop's own rates, fees and currency", () => {
  it('departments each have a rate', () => {
    const departments = {
      body: [75, 75],
      refinish: [80, 80],
      mechanical: [175, 175],
      structural: [90, 90],
      aluminium: [75, 75],
      glass: [95, 95],
      materials: [60, 60],
    };
    const tables = withShop({ departments });
    const dent = { type: 'dent', location: 'front_door_left', severity: 'severe' };
    const steel = priceAtShop(tables, [dent], { panels: 'steel' });
    const light = priceAtShop(tables, [dent], { panels: 'aluminium' });
    expect(steel.departments.body).toMatchObject({ rate_per_hour: 75, hours: 2.1 });
    expect(light.departments.aluminium).toMatchObject({ rate_per_hour: 75, hours: 2.1 });
    expect(steel.departments.refinish).toMatchObject({ rate_per_hour: 80 });
    expect(steel.departments.materials).toMatchObject({ rate_per_hour: 60 });
    const glass = { type: 'shattered_glass', location: 'windshield' };
    expect(priceAtShop(tables, [glass]).departments.glass).toMatchObject({ rate_per_hour: 95 });
    const radiator = { type: 'crack', location: 'cooling_system', severity: 'critical' };
    expect(priceAtShop(tables, [radiator]).departments.mechanical).toMatchObject({ rate_per_hour: 175 });
    const frame = { type: 'frame_damage', location: 'quarter_panel_left', severity: 'severe' };
    expect(priceAtShop(tables, [frame]).departments.structural).toMatchObject({ rate_per_hour: 90 });
  });

  it('fees: flat, once per vehicle, where the job is one', () => {
    const fees = [
      { name: 'hazardous_waste', amount: 6, on: 'painted', source: 'mine' },
      { name: 'courtesy_wash', amount: 20, on: 'every', source: 'mine' },
      { name: 'parts_delivery', amount: 15, on: 'replaced', source: 'mine' },
    ];
    const plain = withShop({});
    const tables = withShop({ fees });
    const polish = { type: 'scratch', location: 'hood', severity_score: 1 };
    const more = (...damages: object[]) =>
      priceAtShop(tables, damages).vehicle - priceAtShop(plain, damages).vehicle;
    expect(more(polish)).toBeCloseTo(20, 6);
    expect(more({ type: 'dent', location: 'hood', severity: 'severe' })).toBeCloseTo(26, 6);
    expect(more(BUMPER, polish)).toBeCloseTo(41, 6);
    expect(priceAtShop(tables, [BUMPER, polish]).departments.fees).toMatchObject({ total: 41 });
  });

  it.each([
    ['a severe dent', { type: 'dent', location: 'front_door_left', severity: 'severe' }],
    ['a crushed bumper', BUMPER],
  ])('an accepted line says in which total it counted before: %s', (_, damage) => {
    const estimate = (line_edits: object[]) =>
      assessed({ vehicle_id: 'veh_1', damages: [{ damage_id: 'd1', ...damage }], line_edits }).data.estimate
        .lines;
    const expected = estimate([]).filter(({ group }) => group === 'expected');
    expect(expected.length).toBeGreaterThan(0);
    for (const { line_id: line, counted_in } of expected)
      expect(estimate([{ line, action: 'accept' }]).find((one) => one.line_id === line)).toMatchObject({
        counted_in: 'total',
        computed: { counted_in },
      });
  });

  it.each<[string, object[], fee?: number]>([
    ['nothing', [], 13.4],
    ['the price of the part', [{ line: 'front_bumper/rr', price: 1000 }], 20],
    ['the price of the repair', [{ part: 'front_bumper', price: 900 }]],
    ['a part more', [{ add: { operation: 'R&R', part: 'grille', price: 330 } }], 20],
    ['an expected part accepted', [{ line: 'front_bumper/grille/rr', action: 'accept' }], 19.56],
    ['hours alone', [{ line: 'front_bumper/rr', hours: 9 }], 13.4],
    ['no new part any more', [{ line: 'front_bumper/rr', action: 'remove' }], 0],
    [
      'the fee itself',
      [
        { line: 'small_parts/fee', price: 5 },
        { line: 'front_bumper/rr', price: 1000 },
      ],
      5,
    ],
    ['no fee', [{ line: 'small_parts/fee', action: 'remove' }], 0],
  ])('fees follow the lines that a person edits: %s', (_, line_edits, small) => {
    const { data } = assessed(
      {
        damages: [{ damage_id: 'd', ...BUMPER }],
        assessment_options: { labor_rate_region: 'MY_SHOP' },
        line_edits,
      },
      withShop({
        fees: [
          { name: 'small_parts', amount: 0, share_of_parts: 0.02, on: 'replaced', source: 'mine' },
          { name: 'courtesy_wash', amount: 20, on: 'every', source: 'mine' },
        ],
      }),
    );
    const counted = data.estimate.lines.filter((line) => line.counted_in === 'total');
    const feeOf = (name: string) => counted.find((line) => line.part === name)?.amount ?? 0;
    const parts = counted.filter((line) => line.tax_class === 'parts');
    const bought = parts.reduce((sum, line) => sum + (line.price ?? 0), 0);
    expect(feeOf('small_parts')).toBeCloseTo(small ?? bought * 0.02, 2);
    expect(feeOf('courtesy_wash')).toBe(20);
    if (small === undefined) expect(bought).not.toBeCloseTo(670, 0);
  });

  it('a fee that is also expected with a repair is charged once', () => {
    const fee = { name: 'hazardous_waste', amount: 6, on: 'painted', source: 'mine' };
    const linesWith = (fees: object[]) => {
      const { data } = assessed(
        {
          damages: [{ damage_id: 'd', ...BUMPER }],
          assessment_options: { labor_rate_region: 'MY_SHOP', associated_operations: 'all' },
        },
        withShop({ fees }),
      );
      return (data.estimate.lines ?? []).filter((line) => line.part === 'hazardous_waste');
    };
    expect(linesWith([]).map((line) => line.amount)).toEqual([5]);
    expect(linesWith([fee]).map((line) => line.amount)).toEqual([6]);
  });

  it.each([
    ['CHF', [110, 130] as const, 2, { from: 'USD', to: 'CHF', rate: 0.778505, date: '2026-05-08' }],
    ['KRW', [40_000, 60_000] as const, 0, { from: 'USD', to: 'KRW', rate: 1466.78, date: '2026-05-08' }],
  ])('the currency may be any: %s', (currency, rate, digits, partsFx) => {
    const row = { currency, rate_per_hour: rate, departments: {}, default_market_value: rate[0] * 150 };
    const tables = withShop(row);
    const priced = priceAtShop(tables, [BUMPER], { currency });
    expect(priced.meta).toMatchObject({ currency, parts_fx: partsFx });
    expect(priced.meta.fx).toBeUndefined();
    const minor = (priced.total ?? 0) * 10 ** digits;
    expect(Math.abs(minor - Math.round(minor))).toBeLessThan(1e-6);
    // A request to a service may name what its operator added, besides the contract's five.
    expect(listRequestCurrencies(tables)).toContain(currency);
    expect(listRequestCurrencies(TABLES)).toEqual(['USD', 'EUR', 'GBP', 'JPY', 'CNY']);
  });

  it.each([
    ['of its own file', 'MY_SHOP', undefined, 'CHF'],
    ['stated otherwise', 'MY_SHOP', 'EUR', 'EUR'],
    ['of a shipped region', 'EU_GERMANY', undefined, 'USD'],
  ])('the currency where nobody states one: a region %s', (_, region, currency, used) => {
    const tables = withShop({ currency: 'CHF', rate_per_hour: [110, 130], departments: {} });
    expect(createPricingContext(tables, { region, currency }).currency).toBe(used);
  });

  it('any currency of the exchange table will do', () => {
    const request = { damages: [{ damage_id: 'd', ...BUMPER }], assessment_options: { currency: 'PLN' } };
    expect(assessed(request).meta).toMatchObject({ currency: 'PLN', fx: { from: 'USD', to: 'PLN' } });
  });
});
