import { describe, expect, it } from 'vitest';
import { VehiError } from '../../../src/lib/errors.ts';
import { checkRegions } from '../../../src/pricing/tables/check-regions.ts';
import { TABLES } from '../../helpers/pricing/assessments.ts';

/** The shipped table with fields of one row replaced. */
const changed = (row: number, fields: object) => ({
  ...TABLES.regions,
  rows: TABLES.regions.rows.map((one, at) => (at === row ? { ...one, ...fields } : one)),
});
const LOSS = { rule: 'percent_of_value', source: 'mine' };
const price = { part: 'hood', oem: 700, source: 'mine' };

function refusal(table: unknown): { code: string; message: string; fields: unknown } {
  try {
    checkRegions(table, 'mine.json');
  } catch (error) {
    if (error instanceof VehiError) {
      const faults = error.details?.errors as { field: string }[];
      return { code: error.code, message: error.message, fields: faults.map((fault) => fault.field) };
    }
  }
  throw new Error('the table was accepted');
}

describe('a region table of the user', () => {
  it.each<[string, number, object, string, string]>([
    ['low above high', 2, { rate_per_hour: [200, 100] }, 'rate_per_hour', 'low 200 is above high 100'],
    ['a code twice', 1, { code: 'US_CALIFORNIA' }, 'code', 'listed twice'],
    ['no source', 0, { source: undefined }, 'source', 'is missing'],
    ['a typo', 0, { curency: 'USD' }, 'curency', 'is not a field. Did you mean currency?'],
    [
      'a currency that does not exist',
      0,
      { currency: 'EUE' },
      'currency',
      'not a currency of ISO 4217 (did you mean "EU',
    ],
    [
      'a currency without a rate',
      0,
      { currency: 'KWD' },
      'currency',
      'no exchange rate for KWD, and part prices are',
    ],
    ['an invalid day', 0, { date: '2026-13-45' }, 'date', 'not a day of the calendar'],
    ['a day of another century', 0, { date: '0206-01-31' }, 'date', 'not between 2000 and 2100'],
    ['a tax of 55 %', 0, { tax_rate: 0.55 }, 'tax_rate', '0.55 is 55 %; no tax is above 30 %'],
    ['a tax of 100 %', 0, { tax_rate: 1 }, 'tax_rate', 'no tax is above 30 %'],
    [
      'a tax as a percentage',
      0,
      { tax_rate: 7.25 },
      'tax_rate',
      '7.25 is a percentage; 0.0725 is the share that is meant',
    ],
    [
      'a tax as a factor',
      0,
      { tax_rate: 1.19 },
      'tax_rate',
      '1.19 is no share: as a factor, it is 0.19; as a percentage, 0.0119',
    ],
    [
      'a threshold of 1 %',
      0,
      { total_loss: { ...LOSS, threshold: 0.01 } },
      'total_loss.threshold',
      'is 0.01; a share of the value from 0.1 to 2 (0.75 is 75 %)',
    ],
    [
      'a near total loss above the total loss',
      0,
      { total_loss: { ...LOSS, threshold: 0.7, near_from: 0.8 } },
      'total_loss.near_from',
      'is above the threshold of 0.7',
    ],
    [
      'bills of 900 times the estimate',
      0,
      { spread: { low: 0.9, high: 900, jobs: 20, source: 'mine' } },
      'spread.high',
      'is 900; a number from 1 to 10 is needed',
    ],
    [
      'an implausible rate',
      0,
      { rate_per_hour: [75, 1e9] },
      'rate_per_hour',
      'implausible; 2 to 2000 is expected',
    ],
    [
      'yen given as dollars',
      7,
      { departments: { body: [75, 90] } },
      'departments.body',
      'implausible; 310 to 310000 is expected',
    ],
    [
      'an unknown part',
      0,
      { prices: [{ ...price, part: 'front_bumpr' }] },
      'prices[0].part',
      'not a part (did you mean "front_bumper',
    ],
    [
      'a negative rate',
      0,
      { rate_per_hour: [-1, 5] },
      'rate_per_hour[0]',
      'is -1; a number above 0 is needed',
    ],
    [
      'one figure for a pair',
      0,
      { departments: { body: 75 } },
      'departments.body',
      'is 75; a pair [low, high], such as [75, 90], is needed',
    ],
    [
      'an unknown department',
      0,
      { departments: { paint: [75, 90] } },
      'departments.paint',
      'is not a field. One of body, refinish',
    ],
    [
      'a tax in words',
      0,
      { tax_rate: '6.25 %' },
      'tax_rate',
      'is "6.25 %"; a share of at least 0, a number such as 0.0625',
    ],
    ['a day in words', 0, { date: '1 May 2026' }, 'date', 'is "1 May 2026"; a day as YYYY-MM-DD'],
    [
      'materials of 500 an hour',
      0,
      { departments: { materials: [500, 900] } },
      'departments.materials',
      'implausible; 2 to 300 is expected',
    ],
    ['a part for nothing', 0, { prices: [{ ...price, oem: 0 }] }, 'prices[0].oem', '0 USD is implausible'],
    [
      'a part for next to nothing',
      0,
      {
        prices: [
          { ...price, oem: 0.5 },
          { ...price, part: 'roof', oem: 0.49 },
        ],
      },
      'prices[1].oem',
      '0.49 USD is implausible',
    ],
    [
      'a price twice',
      0,
      { prices: [price, { ...price, oem: 750 }] },
      'prices[1]',
      'listed twice, first in [0]; keep one',
    ],
  ])('is refused for %s, with row and reason', (_, row, fields, field, reason) => {
    const { code, message, fields: named } = refusal(changed(row, fields));
    expect(code).toBe('INVALID_TABLE');
    expect(message).toMatch(/^mine\.json: /);
    expect(message).toContain(reason);
    const { code: place } = { ...TABLES.regions.rows[row], ...fields } as { code: string };
    expect(named).toContain(`rows[${row}] (${place}).${field}`);
  });

  it('allows every amount that its limits name, in any currency', () => {
    for (const [row, { currency, code }] of TABLES.regions.rows.entries()) {
      const { message } = refusal(changed(row, { rate_per_hour: [1e9, 1e9] }));
      const [, least, most] = /; ([\d.e+]+) to ([\d.e+]+) is expected/.exec(message) ?? [];
      const rates = { rate_per_hour: [Number(least), Number(most)] };
      expect(() => checkRegions(changed(row, rates), `${code} ${currency}`)).not.toThrow();
    }
  });

  it.each([null, 7, 'rows', [], {}])('is refused when it is %j', (table) => {
    expect(refusal(table).code).toBe('INVALID_TABLE');
  });
});
