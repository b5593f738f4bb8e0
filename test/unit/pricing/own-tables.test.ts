import { describe, expect, it } from 'vitest';
import { newRegionsFile } from '../../../src/cli/setup/regions-new.ts';
import { requestCurrenciesOf } from '../../../src/pricing/currencies.ts';
import { createPricingContext, findRegion, withRegions } from '../../../src/pricing/index.ts';
import { checkRegions } from '../../../src/pricing/tables/check-regions.ts';
import { assessed, TABLES } from '../../helpers/pricing/assessments.ts';

const midwest = findRegion(TABLES, 'US_MIDWEST');

/** The tables with a shop of its own, made from the Midwest. */
function shopOf(row: object, top: object = {}) {
  const table = {
    name: 'mine',
    version: '1',
    effective_date: '2026-11-01',
    rows: [{ ...midwest, code: 'MY_SHOP', ...row }],
    ...top,
  };
  return withRegions(TABLES, checkRegions(table, 'mine.json'));
}

/** One damage at the shop: its recommended repair and the vehicle's figures. */
function at(
  tables: ReturnType<typeof shopOf>,
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
    lines: Object.fromEntries(
      (option?.operations ?? []).map((line) => [`${line.operation} ${line.part}`, line]),
    ),
    total: option?.total_cost.total,
    vehicle: data.summary.repair_cost_summary.adjusted_total.estimated,
    departments: Object.fromEntries(
      data.summary.repair_cost_summary.departments.map((row) => [row.department, row]),
    ),
  };
}
const bumper = { type: 'crack', location: 'front_bumper', severity: 'severe' };

describe('a table of a shop', () => {
  it('prices: of a standard car and raised by class, or of a class as they are', () => {
    const prices = [
      { part: 'front_bumper', oem: 500, source: 'mine' },
      { part: 'front_bumper', oem: 1111, class: 'premium', source: 'mine' },
    ];
    const tables = shopOf({ prices });
    expect(at(tables, [bumper]).part).toBe(500);
    expect(at(tables, [bumper], { class: 'luxury' }).part).toBe(1200); // 500 x 2.4
    expect(at(tables, [bumper], { class: 'premium' }).part).toBe(1111);
  });

  it('hours: those named outrank table and equipment, the others stay', () => {
    const hours = [
      { part: 'front_bumper', replace: 2.2, refinish_new: 2.5, source: 'mine' },
      { part: 'trunk_lid', replace: 5, source: 'mine' },
    ];
    const tables = shopOf({ hours });
    const { lines } = at(tables, [bumper]);
    expect(lines['R&R front_bumper']?.body_hours).toBe(2.2);
    expect(lines['Refn front_bumper']?.refinish_hours).toBe(2.5);
    expect(lines['Clear front_bumper']?.refinish_hours).toBe(1); // 40 % of 2.5
    const lid = { type: 'panel_damage', subtype: 'missing_part', location: 'trunk_lid', severity: 'severe' };
    expect(at(tables, [lid], { body: 'suv' }).lines['R&R trunk_lid']?.body_hours).toBe(5);
  });

  it('PDR: own rows and minimum, in the currency of the shop', () => {
    const price = { dime: 40, nickel: 60, quarter: 80, half_dollar: 100 };
    const pdr = { minimum: 70, rows: [{ panel: 'side', up_to_dents: 400, price }], source: 'mine' };
    const tables = shopOf({ pdr });
    const dent = (length: number, location = 'front_door_left') => ({
      type: 'dent',
      location,
      severity: 'minor',
      measurements: { length, unit: 'cm' },
    });
    expect(at(tables, [dent(2.3)]).total).toBe(80);
    expect(at(tables, [dent(1.5)]).total).toBe(70); // 40, at least 70
    expect(at(tables, [dent(1.5, 'hood')]).total).toBe(125); // flat panels stay the table's
  });

  it('PDR: the minimum is one for the visit, whatever the panels', () => {
    const tables = shopOf({ pdr: { minimum: 300, source: 'mine' } });
    const dent = (location: string) => ({
      type: 'dent',
      location,
      severity: 'minor',
      measurements: { length: 1.5, unit: 'cm' },
    });
    // 95 each by the matrix: 300, and not 95 + 95 and twice what is missing.
    expect(at(tables, [dent('front_door_left'), dent('rear_door_left')]).vehicle).toBe(300);
    expect(at(tables, [dent('front_door_left')]).vehicle).toBe(300);
  });

  it('a metal panel at next to nothing is still not bought for damage to its paint', () => {
    const prices = [{ part: 'hood', oem: 1, source: 'mine' }];
    const hours = [{ part: 'hood', replace: 0.1, refinish_new: 3, source: 'mine' }];
    const tables = shopOf({ prices, hours });
    const mark = (type: string) => ({
      type,
      location: 'hood',
      severity: 'severe',
      measurements: { length: 45, unit: 'cm' },
    });
    expect(at(tables, [mark('scratch')]).option).toBe('panel_repair');
    expect(at(tables, [mark('dent')]).option).toBe('panel_replacement');
  });

  it('blends: own neighbours of a panel, or none', () => {
    const blends = (blend: object) =>
      Object.keys(at(shopOf({ blend }), [{ type: 'dent', location: 'hood', severity: 'severe' }]).lines)
        .filter((line) => line.startsWith('Blnd'))
        .map((line) => line.slice(5));
    expect(blends({})).toEqual(['front_fender_left', 'front_fender_right']);
    expect(blends({ hood: ['front_fender_left'] })).toEqual(['front_fender_left']);
    expect(blends({ hood: [] })).toEqual([]);
  });

  it('each line names where its figure comes from: the shop, the equipment, the matrix or the part', () => {
    const tables = shopOf({
      prices: [{ part: 'front_bumper', oem: 500, source: 'my invoice' }],
      hours: [{ part: 'front_bumper', replace: 2.2, source: 'my stopwatch' }],
      pdr: { minimum: 70, source: 'my list' },
    });
    const sources = (damage: object, of = tables) => {
      const { data } = assessed(
        {
          damages: [{ damage_id: 'd', ...damage }],
          vehicle: { headlights: 'matrix' },
          assessment_options: { labor_rate_region: 'MY_SHOP', associated_operations: 'off' },
        },
        of,
      );
      return (data.estimate.lines ?? []).map((line) => line.source).join(' | ');
    };
    expect(sources(bumper)).toMatch(/replace hours: my stopwatch; own price: my invoice; the rest: OEM 670/);
    expect(sources(bumper, shopOf({}))).not.toMatch(/own price|the rest/);
    const lamp = { type: 'headlight_damage', location: 'headlight_left', severity: 'severe' };
    expect(sources(lamp)).toMatch(/^oem: .*; the rest: Replace 0\.6 h/);
    const dent = { type: 'dent', location: 'hood', severity: 'minor', measurements: { length: 2 } };
    expect(sources(dent)).toMatch(/^QuickQuoteHail matrix/);
    const price = { dime: 40, nickel: 60, quarter: 80, half_dollar: 100 };
    const mine = { rows: [{ panel: 'flat', up_to_dents: 400, price }], source: 'my list' };
    expect(sources(dent, shopOf({ pdr: mine }))).toBe('my list');
  });

  it('departments each have a rate, and aluminium may take more hours instead', () => {
    const departments = {
      body: [75, 75],
      refinish: [80, 80],
      mechanical: [175, 175],
      structural: [90, 90],
      aluminium: [75, 75],
      glass: [95, 95],
      materials: [60, 60],
    };
    const tables = shopOf({ departments, aluminium_hours: 2 });
    const dent = { type: 'dent', location: 'front_door_left', severity: 'severe' };
    const steel = at(tables, [dent], { panels: 'steel' });
    const light = at(tables, [dent], { panels: 'aluminium' });
    expect(steel.departments.body).toMatchObject({ rate_per_hour: 75, hours: 2.1 });
    expect(light.departments.aluminium).toMatchObject({ rate_per_hour: 75, hours: 4.2 });
    expect(steel.departments.refinish).toMatchObject({ rate_per_hour: 80 });
    expect(steel.departments.materials).toMatchObject({ rate_per_hour: 60 });
    const glass = { type: 'shattered_glass', location: 'windshield' };
    expect(at(tables, [glass]).departments.glass).toMatchObject({ rate_per_hour: 95 });
    const radiator = { type: 'crack', location: 'cooling_system', severity: 'critical' };
    expect(at(tables, [radiator]).departments.mechanical).toMatchObject({ rate_per_hour: 175 });
    const frame = { type: 'frame_damage', location: 'quarter_panel_left', severity: 'severe' };
    expect(at(tables, [frame]).departments.structural).toMatchObject({ rate_per_hour: 90 });
  });

  // An insurer's estimate capped paint supplies at a flat 750 USD.
  it('fees: flat, once per vehicle, where the job is one; a cap on paint materials', () => {
    const fees = [
      { name: 'hazardous_waste', amount: 6, on: 'painted', source: 'mine' },
      { name: 'courtesy_wash', amount: 20, on: 'every', source: 'mine' },
      { name: 'parts_delivery', amount: 15, on: 'replaced', source: 'mine' },
    ];
    const plain = shopOf({});
    const tables = shopOf({ fees });
    const polish = { type: 'scratch', location: 'hood', severity_score: 1 };
    const more = (...damages: object[]) => at(tables, damages).vehicle - at(plain, damages).vehicle;
    expect(more(polish)).toBeCloseTo(20, 6);
    expect(more({ type: 'dent', location: 'hood', severity: 'severe' })).toBeCloseTo(26, 6);
    expect(more(bumper, polish)).toBeCloseTo(41, 6);
    expect(at(tables, [bumper, polish]).departments.fees).toMatchObject({ total: 41 });
    // A bumper brings 4.2 h of paint, 4.2 x 53.50 = 224.70.
    const capped = shopOf({ fees, caps: { materials: 200, source: 'mine' } });
    expect(at(plain, [bumper]).departments.materials).toMatchObject({ total: 224.7 });
    expect(at(capped, [bumper]).departments.materials).toMatchObject({ total: 200 });
    expect(at(tables, [bumper]).vehicle - at(capped, [bumper]).vehicle).toBeCloseTo(24.7, 6);
  });

  it('a fee that is also expected with a repair is charged once', () => {
    const fee = { name: 'hazardous_waste', amount: 6, on: 'painted', source: 'mine' };
    const linesWith = (fees: object[]) => {
      const { data } = assessed(
        {
          damages: [{ damage_id: 'd', ...bumper }],
          assessment_options: { labor_rate_region: 'MY_SHOP', associated_operations: 'all' },
        },
        shopOf({ fees }),
      );
      return (data.estimate.lines ?? []).filter((line) => line.part === 'hazardous_waste');
    };
    expect(linesWith([]).map((line) => line.amount)).toEqual([5]);
    expect(linesWith([fee]).map((line) => line.amount)).toEqual([6]);
  });

  it.each([
    ['CHF', [110, 130] as const, 2, { from: 'USD', to: 'CHF', rate: 0.778505, date: '2026-05-08' }],
    ['KRW', [40_000, 60_000] as const, 0, { from: 'USD', to: 'KRW', rate: 1466.78, date: '2026-05-08' }],
    ['KWD', [10, 14] as const, 3, { from: 'USD', to: 'KWD', rate: 0.307, date: '2026-10-30' }],
  ])('the currency may be any: %s', (currency, rate, digits, partsFx) => {
    const tables = shopOf(
      { currency, rate_per_hour: rate, departments: {}, default_market_value: rate[0] * 150 },
      { exchange_rates: [{ currency: 'KWD', per_usd: 0.307, date: '2026-10-30', source: 'a bank' }] },
    );
    const priced = at(tables, [bumper], { currency });
    expect(priced.meta).toMatchObject({ currency, parts_fx: partsFx });
    expect(priced.meta.fx).toBeUndefined();
    const minor = (priced.total ?? 0) * 10 ** digits;
    expect(Math.abs(minor - Math.round(minor))).toBeLessThan(1e-6);
    // A request to a service may name what its operator added, besides the contract's five.
    expect(requestCurrenciesOf(tables)).toContain(currency);
    expect(requestCurrenciesOf(TABLES)).toEqual(['USD', 'EUR', 'GBP', 'JPY', 'CNY']);
  });

  it.each([
    ['of its own file', 'MY_SHOP', undefined, 'CHF'],
    ['stated otherwise', 'MY_SHOP', 'EUR', 'EUR'],
    ['of a shipped region', 'EU_GERMANY', undefined, 'USD'],
  ])('the currency where nobody states one: a region %s', (_, region, currency, used) => {
    const tables = shopOf({ currency: 'CHF', rate_per_hour: [110, 130], departments: {} });
    expect(createPricingContext(tables, { region, currency }).currency).toBe(used);
  });

  it('an own hourly rate of PDR raises the matrix, and that of the body does not', () => {
    const dent = {
      type: 'dent',
      location: 'hood',
      severity: 'minor',
      count: 12,
      measurements: { length: 2.4 },
    };
    const { rate_per_hour, departments } = midwest;
    const total = (row: object) => at(shopOf(row), [dent]).total;
    const shipped = total({});
    expect(total({ departments: { ...departments, pdr: [120, 120] } })).toBe(shipped);
    expect(total({ departments: { ...departments, pdr: [180, 180] } })).toBeCloseTo((shipped ?? 0) * 1.5, 1);
    expect(total({ rate_per_hour: rate_per_hour.map((rate) => rate * 2) })).toBe(shipped);
  });

  it.each([
    ['a panel that is repaired', { type: 'dent', location: 'hood', severity: 'severe' }, 1.31],
    ['a cover that is replaced', bumper, 1.31],
    ['glass', { type: 'crack', location: 'windshield', severity: 'severe' }, undefined],
    ['a panel that is only painted', { type: 'scratch', location: 'hood', severity: 'moderate' }, undefined],
    [
      'a spot repair',
      {
        type: 'scratch',
        location: 'front_door_left',
        severity: 'moderate',
        measurements: { length: 8, unit: 'cm' },
      },
      undefined,
    ],
    [
      'a dent without paint',
      { type: 'dent', location: 'hood', severity: 'minor', measurements: { length: 2 } },
      undefined,
    ],
  ])('teardown adds the published share to the upper end of %s', (_, damage, times) => {
    const { data } = assessed({ damages: [{ damage_id: 'd', ...damage }] });
    const { adjusted_total: total, after_teardown: after } = data.summary.repair_cost_summary;
    if (times === undefined) expect(after).toBeUndefined();
    else {
      expect(after?.min).toBe(total.min);
      expect(after?.max).toBeCloseTo(total.max * times, 2);
    }
  });

  it('any currency of the exchange table will do', () => {
    const request = { damages: [{ damage_id: 'd', ...bumper }], assessment_options: { currency: 'PLN' } };
    expect(assessed(request).meta).toMatchObject({ currency: 'PLN', fx: { from: 'USD', to: 'PLN' } });
  });

  it('a newer rate of the user outranks the table and is dated', () => {
    const exchange_rates = [{ currency: 'EUR', per_usd: 0.8, date: '2026-11-20', source: 'my bank' }];
    const { meta } = at(shopOf({}, { exchange_rates }), [bumper], { currency: 'EUR' });
    expect(meta.fx).toEqual({ from: 'USD', to: 'EUR', rate: 0.8, date: '2026-11-20' });
  });

  it.each(TABLES.regions.rows.map((row) => [row.code]))(
    'what `regions new` prints from %s is valid and prices its bumper as the region does',
    (code) => {
      const row = findRegion(TABLES, code);
      const text = newRegionsFile(row, TABLES, '2026-11-01');
      const tables = withRegions(TABLES, checkRegions(JSON.parse(text), 'mine.json'));
      const { currency } = row;
      const mine = at(tables, [bumper], { currency }).total ?? 0;
      const { data } = assessed({
        damages: [{ damage_id: 'd', ...bumper }],
        assessment_options: { labor_rate_region: code, currency },
      });
      expect(mine / (data.assessed_damages[0]?.recommended_repair.estimated_cost ?? 0)).toBeCloseTo(1, 2);
    },
  );
});
