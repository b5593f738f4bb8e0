import { describe, expect, test } from 'vitest';
import { checkVin, validateVin } from '../../../../src/domain/vehicle/vin.ts';

describe('a VIN', () => {
  // The example of 49 CFR 565 and one all of ones, whose sum is 89: 89 mod 11 = 1.
  test.each([
    ['1M8GDM9AXKP042788', 'right'],
    ['11111111111111111', 'right'],
    ['1M8GDM9A1KP042788', 'wrong'],
    ['1M8GDM9AXKP042789', 'wrong'],
    ['WVWZZZ1KZ8W123456', 'none'],
  ])('%s has a check digit that is %s', (vin, check) => {
    expect(validateVin(vin)).toBeUndefined();
    expect(checkVin(vin)).toBe(check);
  });

  test.each([
    ['1M8GDM9AXKP04278', '16 characters'],
    ['1', '1 character;'],
    ['', '0 characters; a VIN has 17'],
    ['x'.repeat(129), '129 characters; a VIN has 17'],
    ['😀'.repeat(16), '16 characters'],
    ['1M8GDM9AXKP0I2788', '"I"'],
    ['1M8GDM9AXKP0-2788', '"-"'],
    ['1M8GDM9AXKP0😀2788', '"😀"'],
  ])('%s is none', (vin, fault) => {
    expect(validateVin(vin)?.problem).toContain(fault);
  });
});
