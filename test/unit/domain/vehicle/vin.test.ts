import { describe, expect, it } from 'vitest';
import { decodeVin } from '../../../../src/domain/vehicle/decode-vin.ts';
import { checkVin, validateVin } from '../../../../src/domain/vehicle/vin.ts';
import table from '../../../../src/domain/vehicle/wmi.json' with { type: 'json' };
import { loadTables } from '../../../../src/pricing/tables/load.ts';
import { findVehicleClass } from '../../../../src/pricing/vehicle/vehicle-class.ts';

describe('a VIN tells', () => {
  it.each([
    // A passenger car of 2011 (letter in the seventh place), a bus of 1989 (digit).
    ['1HGCP2F89BA123456', { make: 'Honda', year: 2011 }],
    ['1M8GDM9AXKP042788', { year: 1989 }],
    // A wrong check digit.
    ['1HGCP2F8XBA123456', { make: 'Honda' }],
    ['11111111111111111', { year: 2001 }],
    ['WVWZZZ1KZ8W123456', { make: 'Volkswagen' }],
    ['ZZZZZZ1KZ8W123456', {}],
  ])('%s: %j', (vin, facts) => {
    expect(decodeVin(vin, 2027)).toEqual(facts);
  });

  it('no year to come', () => {
    expect(decodeVin('1HGCP2F89BA123456', 2010)).toEqual({ make: 'Honda' });
  });
});

describe('the table of makers', () => {
  it('names each code once, with a source', () => {
    const codes = table.rows.flatMap((row) => row.codes);
    expect(codes.filter((code) => !/^[0-9A-HJ-NPR-Z]{3}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(codes.length);
    expect(table.rows.filter(({ source }) => source.length === 0)).toEqual([]);
  });

  it('writes makes so that prices know their class', () => {
    const tables = loadTables();
    expect(table.rows.filter((row) => findVehicleClass(row, tables) === undefined)).toEqual([]);
  });
});

describe('a VIN', () => {
  // The example of 49 CFR 565 and one all of ones, whose sum is 89: 89 mod 11 = 1.
  it.each([
    ['1M8GDM9AXKP042788', 'right'],
    ['11111111111111111', 'right'],
    ['1M8GDM9A1KP042788', 'wrong'],
    ['1M8GDM9AXKP042789', 'wrong'],
    ['WVWZZZ1KZ8W123456', 'none'],
  ])('%s has a check digit that is %s', (vin, check) => {
    expect(validateVin(vin)).toBeUndefined();
    expect(checkVin(vin)).toBe(check);
  });

  it.each([
    ['1M8GDM9AXKP04278', '16 characters'],
    ['1', '1 character;'],
    ['😀'.repeat(16), '16 characters'],
    ['1M8GDM9AXKP0I2788', '"I"'],
    ['1M8GDM9AXKP0-2788', '"-"'],
    ['1M8GDM9AXKP0😀2788', '"😀"'],
  ])('%s is none', (vin, fault) => {
    expect(validateVin(vin)?.problem).toContain(fault);
  });
});
