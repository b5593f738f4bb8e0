import { describe, expect, it } from 'vitest';
import { withRegions } from '../../../src/pricing/tables/regions.ts';
import { assessed, TABLES } from '../../helpers/pricing/assessments.ts';
import { BUMPER, MIDWEST, priceAtShop, withShop } from '../../helpers/pricing/own-shop.ts';

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
    const lost = (location: string) => ({
      type: 'panel_damage',
      subtype: 'missing_part',
      location,
      severity: 'severe',
    });
    const priceOf = (location: string) => priceAtShop(tables, [lost(location)]).part;
    expect(priceOf('front_fender_left')).toBe(410);
    expect(priceOf('front_fender_right')).toBe(500);
  });

  it('a metal panel at next to nothing is still not bought for damage to its paint', () => {
    const prices = [{ part: 'hood', oem: 1, source: 'mine' }];
    const tables = withShop({ prices });
    const mark = (type: string) => ({
      type,
      location: 'hood',
      severity: 'severe',
      measurements: { length: 45, unit: 'cm' },
    });
    expect(priceAtShop(tables, [mark('scratch')]).option).toBe('panel_repair');
    expect(priceAtShop(tables, [mark('dent')]).option).toBe('panel_replacement');
  });

  it('each line names where its figure comes from: the shop, the equipment, the matrix or the part', () => {
    const tables = withShop({
      prices: [{ part: 'front_bumper', oem: 500, source: 'my invoice' }],
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
    expect(
      withRegions(TABLES, { ...TABLES.regions, effective_date: '2020-01-01' }).regions.effective_date,
    ).toBe('2026-11-01');
  });

  it('an own hourly rate of PDR raises the matrix, and that of the body does not', () => {
    const dent = {
      type: 'dent',
      location: 'hood',
      severity: 'minor',
      count: 12,
      measurements: { length: 2.4 },
    };
    const { rate_per_hour, departments } = MIDWEST;
    const total = (row: object) => priceAtShop(withShop(row), [dent]).total;
    const shipped = total({});
    expect(total({ departments: { ...departments, pdr: [120, 120] } })).toBe(shipped);
    expect(total({ departments: { ...departments, pdr: [180, 180] } })).toBeCloseTo((shipped ?? 0) * 1.5, 1);
    expect(total({ rate_per_hour: rate_per_hour.map((rate) => rate * 2) })).toBe(shipped);
  });
});
