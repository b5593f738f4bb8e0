import { describe, expect, it } from 'vitest';
import { listRequestCurrencies } from '../../../src/pricing/currencies.ts';
import { createPricingContext } from '../../../src/pricing/pricing-context.ts';
import { checkRegions } from '../../../src/pricing/tables/check-regions.ts';
import { findRegion, withRegions } from '../../../src/pricing/tables/regions.ts';
import { assessed, TABLES } from '../../helpers/pricing/assessments.ts';
import { BUMPER, MIDWEST, priceAtShop, withShop } from '../../helpers/pricing/own-shop.ts';

describe("a shop's own rates, fees and currency", () => {
  const DOOR = { type: 'dent', location: 'front_door_left', severity: 'severe' };
  it.each([
    ['body', 75, DOOR],
    ['refinish', 80, DOOR],
    ['materials', 60, DOOR],
    ['aluminium', 70, DOOR],
    ['glass', 95, { type: 'shattered_glass', location: 'windshield' }],
    ['mechanical', 175, { type: 'crack', location: 'cooling_system', severity: 'critical' }],
    ['structural', 90, { ...DOOR, type: 'frame_damage', location: 'quarter_panel_left' }],
  ])('the department %s has a rate of its own', (name, rate, damage) => {
    const tables = withShop({ departments: { [name]: [rate, rate] } });
    const panels = name === 'aluminium' ? 'aluminium' : 'steel';
    expect(priceAtShop(tables, [damage], { panels }).departments[name]?.rate_per_hour).toBe(rate);
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
    ['the fee itself', [{ line: 'small_parts/fee', price: 5 }], 5],
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
          { name: 'disposal', amount: 25, share_of_parts: 0.05, on: 'every', source: 'mine' },
        ],
      }),
    );
    const counted = data.estimate.lines.filter((line) => line.counted_in === 'total');
    const feeOf = (name: string) => counted.find((line) => line.part === name)?.amount ?? 0;
    const parts = counted.filter((line) => line.tax_class === 'parts');
    const bought = parts.reduce((sum, line) => sum + (line.price ?? 0), 0);
    expect(feeOf('small_parts')).toBeCloseTo(small ?? bought * 0.02, 2);
    expect(feeOf('courtesy_wash')).toBe(20);
    expect(counted.filter((line) => line.group === 'fee').map((line) => line.note)).toEqual(
      expect.arrayContaining(['flat fee of the region', 'flat fee of the region + 5 % of the parts']),
    );
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

  it('the currency may be any', () => {
    const tables = withShop({ currency: 'CHF', rate_per_hour: [110, 130], departments: {} });
    const { meta, total } = priceAtShop(tables, [BUMPER], { currency: 'CHF' });
    expect(meta).toMatchObject({ currency: 'CHF', parts_fx: { from: 'USD', to: 'CHF', rate: 0.778505 } });
    expect([meta.fx, total]).toEqual([undefined, expect.any(Number)]);
    // A request to a service may name what its operator added, besides the contract's five.
    expect(listRequestCurrencies(TABLES)).toEqual(['USD', 'EUR', 'GBP', 'JPY', 'CNY']);
    expect(listRequestCurrencies(tables)).toEqual([...listRequestCurrencies(TABLES), 'CHF']);
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

describe("a shop's own prices and rates", () => {
  it('prices: of a standard car and raised by class, or of a class as they are', () => {
    const prices = [
      { part: 'front_bumper', oem: 500, source: 'mine' },
      { part: 'front_bumper', oem: 1111, class: 'premium', source: 'mine' },
    ];
    const tables = withShop({ prices });
    expect(priceAtShop(tables, [BUMPER]).part).toBe(500);
    expect(priceAtShop(tables, [BUMPER], { class: 'luxury' }).part).toBe(1200); // 500 x 2.4
    expect(priceAtShop(tables, [BUMPER], { class: 'premium' }).part).toBe(1111);
  });

  it('a row for one side outranks one for both, whatever their order', () => {
    const prices = [
      { part: 'front_fender', oem: 500, source: 'mine' },
      { part: 'front_fender_left', oem: 410, source: 'mine' },
    ];
    const tables = withShop({ prices });
    const lost = { type: 'panel_damage', subtype: 'missing_part', severity: 'severe' };
    const priceOf = (location: string) => priceAtShop(tables, [{ ...lost, location }]).part;
    expect(priceOf('front_fender_left')).toBe(410);
    expect(priceOf('front_fender_right')).toBe(500);
  });

  it.each([
    ['scratch', 'panel_repair'],
    ['paint_damage', 'panel_repair'],
    ['dent', 'panel_replacement'],
  ])('a hood cheaper than its repair is bought for no damage to its paint: %s, %s', (type, option) => {
    const prices = [{ part: 'hood', oem: 1, source: 'mine' }];
    const tables = withShop({ prices, departments: { body: [300, 300], refinish: [50, 50] } });
    const mark = { location: 'hood', type, severity: 'critical', measurements: { length: 45, unit: 'cm' } };
    expect(priceAtShop(tables, [mark]).option).toBe(option);
  });

  it('each line names where its figure comes from: the shop, the equipment, the matrix or the part', () => {
    const tables = withShop({ prices: [{ part: 'front_bumper', oem: 500, source: 'my invoice' }] });
    const sources = (damage: object, of = tables) =>
      Object.values(priceAtShop(of, [damage], { headlights: 'matrix' }).lines)
        .map((line) => line.source)
        .join(' | ');
    expect(sources(BUMPER)).toMatch(/own price: my invoice; the rest: OEM 670/);
    expect(sources(BUMPER, withShop({}))).not.toMatch(/own price|the rest/);
    const lamp = { type: 'headlight_damage', location: 'headlight_left', severity: 'severe' };
    expect(sources(lamp)).toMatch(/^oem: .*; the rest: Replace 0\.6 h/);
    const dent = { type: 'dent', location: 'hood', severity: 'minor', measurements: { length: 2 } };
    expect(sources(dent)).toMatch(/^QuickQuoteHail matrix/);
  });

  it('the table of regions has the date of the row that prices', () => {
    const tables = withShop({ date: '2020-01-01' });
    const dateIn = (labor_rate_region: string) =>
      assessed(
        { damages: [{ damage_id: 'd', ...BUMPER }], assessment_options: { labor_rate_region } },
        tables,
      ).meta.tables.find(({ name }) => name === 'regions')?.effective_date;
    expect(['MY_SHOP', 'US_MIDWEST'].map(dateIn)).toEqual(['2020-01-01', '2026-11-01']);
    const older = withRegions(TABLES, { ...TABLES.regions, effective_date: '2020-01-01' });
    expect(older.regions.effective_date).toBe('2026-11-01');
  });

  it('an own hourly rate of PDR raises the matrix, and that of the body does not', () => {
    const size = { count: 12, measurements: { length: 2.4 } };
    const dent = { type: 'dent', location: 'hood', severity: 'minor', ...size };
    const { rate_per_hour, departments } = MIDWEST;
    const total = (row: object) => priceAtShop(withShop(row), [dent]).total;
    const shipped = total({});
    expect(total({ departments: { ...departments, pdr: [120, 120] } })).toBe(shipped);
    expect(total({ departments: { ...departments, pdr: [180, 180] } })).toBeCloseTo((shipped ?? 0) * 1.5, 1);
    expect(total({ rate_per_hour: rate_per_hour.map((rate) => rate * 2) })).toBe(shipped);
  });
});

describe('regions of the user next to those of the product', () => {
  it('may leave its departments out: each takes the rate of the region', () => {
    const { departments: _, ...row } = findRegion(TABLES, 'US_TEXAS');
    const table = checkRegions({ ...TABLES.regions, rows: [row] }, 'mine.json');
    expect(table.rows[0]?.departments).toEqual({});
  });

  it('adds rows and replaces those of the same code; departments stand in for the rate', () => {
    const rows = [
      { code: 'EU_SPAIN', currency: 'EUR', rate_per_hour: [40, 60], departments: { refinish: [50, 70] } },
      { code: 'US_TEXAS', rate_per_hour: [10, 20] },
    ];
    const tables = rows.reduce((all, row) => withShop(row, all), TABLES);
    expect(tables.regions.rows).toHaveLength(TABLES.regions.rows.length + 1);
    expect(tables.regions.version).toBe('2026.7+1+1');
    expect(findRegion(tables, 'US_TEXAS')).toMatchObject({ rate_per_hour: [10, 20] });
    const ctx = createPricingContext(tables, { region: 'EU_SPAIN', currency: 'EUR' });
    expect(ctx.rates.body).toEqual({ min: 4000, est: 5000, max: 6000 });
    expect(ctx.rates.refinish.est).toBe(6000);
  });
});

describe('currencies', () => {
  it('rates are the midpoint in minor units of the response currency', () => {
    const ctx = createPricingContext(TABLES, { region: 'EU_GERMANY', currency: 'JPY' });
    expect(ctx.fx).toEqual({ from: 'EUR', to: 'JPY', rate: 184.37, date: '2026-05-08' });
    expect(ctx.laborRate.est).toBe(18437); // 100 x 184.37
  });
  it.each([
    ['EU_GERMNAY', 'EUR', { code: 'INVALID_REGION', hint: 'Did you mean EU_GERMANY?' }],
    ['EU_UK', 'AED', { code: 'INVALID_CURRENCY' }],
  ])('%s in %s is refused', (region, currency, error) => {
    const create = () => createPricingContext(TABLES, { region, currency });
    expect(create).toThrow(expect.objectContaining(error));
  });
});
