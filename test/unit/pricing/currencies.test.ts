import { describe, expect, it } from 'vitest';
import { VehiError } from '../../../src/lib/errors.ts';
import { findExchangeRate } from '../../../src/pricing/currencies.ts';
import { createPricingContext } from '../../../src/pricing/pricing-context.ts';
import { TABLES } from '../../helpers/pricing/assessments.ts';

describe('currencies', () => {
  it('rates are the midpoint in minor units of the response currency', () => {
    const ctx = createPricingContext(TABLES, { region: 'EU_GERMANY', currency: 'JPY' });
    expect(ctx.fx).toEqual({ from: 'EUR', to: 'JPY', rate: 184.37, date: '2026-05-08' });
    expect(ctx.laborRate.est).toBe(18437); // 100 x 184.37
  });
  // European Central Bank, reference rates of 8 May 2026: 1 EUR = 1.1761 USD, 0.86410 GBP, 184.37 JPY, 7.9989 CNY.
  it('rates are those of the European Central Bank of the day that every conversion names', () => {
    const per = (currency: string) => findExchangeRate(TABLES, 'EUR', currency);
    expect([per('USD'), per('GBP'), per('JPY'), per('CNY')]).toEqual([1.1761, 0.8641, 184.37, 7.9989]);
    expect(TABLES.fx).toMatchObject({ base: 'EUR', effective_date: '2026-05-08' });
    expect(TABLES.fx.source).toContain('European Central Bank');
  });
  it('a rate there and back is one', () => {
    expect(findExchangeRate(TABLES, 'EUR', 'CNY') * findExchangeRate(TABLES, 'CNY', 'EUR')).toBeCloseTo(1, 4);
  });
  it('unknown codes are refused with the nearest known one', () => {
    const code = (region: string, currency: string) => {
      try {
        createPricingContext(TABLES, { region, currency });
      } catch (error) {
        if (error instanceof VehiError) return [error.code, error.field, error.hint];
      }
      return undefined;
    };
    expect(code('EU_GERMNAY', 'EUR')).toEqual(['INVALID_REGION', undefined, 'Did you mean EU_GERMANY?']);
    expect(code('EU_UK', 'AED')?.slice(0, 2)).toEqual(['INVALID_CURRENCY', undefined]);
  });
});
