import { describe, expect, it } from 'vitest';
import { writeRegionsFile } from '../../../src/cli/setup/regions-new.ts';
import { findRegion, withRegions } from '../../../src/pricing/index.ts';
import { checkRegions } from '../../../src/pricing/tables/check-regions.ts';
import { assessed, TABLES } from '../../helpers/pricing/assessments.ts';
import { BUMPER, MIDWEST, priceAtShop, withShop } from '../../helpers/pricing/own-shop.ts';

describe("a shop's own prices, hours and matrix", () => {
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

  it('hours: those named outrank table and equipment, the others stay', () => {
    const hours = [
      { part: 'front_bumper', replace: 2.2, refinish_new: 2.5, source: 'mine' },
      { part: 'trunk_lid', replace: 5, source: 'mine' },
    ];
    const tables = withShop({ hours });
    const { lines } = priceAtShop(tables, [BUMPER]);
    expect(lines['R&R front_bumper']?.hours).toBe(2.2);
    expect(lines['Refn front_bumper']?.hours).toBe(2.5);
    expect(lines['Clear front_bumper']?.hours).toBe(1); // 40 % of 2.5
    const lid = { type: 'panel_damage', subtype: 'missing_part', location: 'trunk_lid', severity: 'severe' };
    expect(priceAtShop(tables, [lid], { body: 'suv' }).lines['R&R trunk_lid']?.hours).toBe(5);
  });

  it('a row for one side outranks one for both, whatever their order', () => {
    const prices = [
      { part: 'front_fender', oem: 500, source: 'mine' },
      { part: 'front_fender_left', oem: 410, source: 'mine' },
    ];
    const hours = [
      { part: 'front_fender', replace: 3, source: 'mine' },
      { part: 'front_fender_left', replace: 2.5, source: 'mine' },
    ];
    const tables = withShop({ prices, hours });
    const lost = (location: string) => ({
      type: 'panel_damage',
      subtype: 'missing_part',
      location,
      severity: 'severe',
    });
    const replaced = (location: string) => {
      const { part, lines } = priceAtShop(tables, [lost(location)]);
      return [part, lines[`R&R ${location}`]?.hours];
    };
    expect(replaced('front_fender_left')).toEqual([410, 2.5]);
    expect(replaced('front_fender_right')).toEqual([500, 3]);
  });

  it('PDR: own rows and minimum, in the currency of the shop', () => {
    const price = { dime: 40, nickel: 60, quarter: 80, half_dollar: 100 };
    const pdr = { minimum: 70, rows: [{ panel: 'side', up_to_dents: 400, price }], source: 'mine' };
    const tables = withShop({ pdr });
    const dent = (length: number, location = 'front_door_left') => ({
      type: 'dent',
      location,
      severity: 'minor',
      measurements: { length, unit: 'cm' },
    });
    expect(priceAtShop(tables, [dent(2.3)]).total).toBe(80);
    expect(priceAtShop(tables, [dent(1.5)]).total).toBe(70); // 40, at least 70
    expect(priceAtShop(tables, [dent(1.5, 'hood')]).total).toBe(125); // flat panels stay the table's
  });

  it('PDR: the minimum is one for the visit, whatever the panels', () => {
    const tables = withShop({ pdr: { minimum: 300, source: 'mine' } });
    const dent = (location: string) => ({
      type: 'dent',
      location,
      severity: 'minor',
      measurements: { length: 1.5, unit: 'cm' },
    });
    // 95 each by the matrix: 300, and not 95 + 95 and twice what is missing.
    expect(priceAtShop(tables, [dent('front_door_left'), dent('rear_door_left')]).vehicle).toBe(300);
    expect(priceAtShop(tables, [dent('front_door_left')]).vehicle).toBe(300);
  });

  it('a metal panel at next to nothing is still not bought for damage to its paint', () => {
    const prices = [{ part: 'hood', oem: 1, source: 'mine' }];
    const hours = [{ part: 'hood', replace: 0.1, refinish_new: 3, source: 'mine' }];
    const tables = withShop({ prices, hours });
    const mark = (type: string) => ({
      type,
      location: 'hood',
      severity: 'severe',
      measurements: { length: 45, unit: 'cm' },
    });
    expect(priceAtShop(tables, [mark('scratch')]).option).toBe('panel_repair');
    expect(priceAtShop(tables, [mark('dent')]).option).toBe('panel_replacement');
  });

  it('blends: own neighbours of a panel, or none', () => {
    const blends = (blend: object) =>
      Object.keys(
        priceAtShop(withShop({ blend }), [{ type: 'dent', location: 'hood', severity: 'severe' }]).lines,
      )
        .filter((line) => line.startsWith('Blnd'))
        .map((line) => line.slice(5));
    expect(blends({})).toEqual(['front_fender_left', 'front_fender_right']);
    expect(blends({ hood: ['front_fender_left'] })).toEqual(['front_fender_left']);
    expect(blends({ hood: [] })).toEqual([]);
  });

  it('each line names where its figure comes from: the shop, the equipment, the matrix or the part', () => {
    const tables = withShop({
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
    expect(sources(BUMPER)).toMatch(/replace hours: my stopwatch; own price: my invoice; the rest: OEM 670/);
    expect(sources(BUMPER, withShop({}))).not.toMatch(/own price|the rest/);
    const lamp = { type: 'headlight_damage', location: 'headlight_left', severity: 'severe' };
    expect(sources(lamp)).toMatch(/^oem: .*; the rest: Replace 0\.6 h/);
    const dent = { type: 'dent', location: 'hood', severity: 'minor', measurements: { length: 2 } };
    expect(sources(dent)).toMatch(/^QuickQuoteHail matrix/);
    const price = { dime: 40, nickel: 60, quarter: 80, half_dollar: 100 };
    const mine = { rows: [{ panel: 'flat', up_to_dents: 400, price }], source: 'my list' };
    expect(sources(dent, withShop({ pdr: mine }))).toBe('my list');
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

  it.each(TABLES.regions.rows.map((row) => [row.code]))(
    'what `regions new` prints from %s is valid and prices its BUMPER as the region does',
    (code) => {
      const row = findRegion(TABLES, code);
      const text = writeRegionsFile(row, TABLES, '2026-11-01');
      const tables = withRegions(TABLES, checkRegions(JSON.parse(text), 'mine.json'));
      const { currency } = row;
      const mine = priceAtShop(tables, [BUMPER], { currency }).total ?? 0;
      const { data } = assessed({
        damages: [{ damage_id: 'd', ...BUMPER }],
        assessment_options: { labor_rate_region: code, currency },
      });
      expect(mine / (data.assessed_damages[0]?.recommended_repair.estimated_cost ?? 0)).toBeCloseTo(1, 2);
    },
  );
});
