import { expect, it } from 'vitest';
import { VehiError } from '../../../src/lib/errors.ts';
import { checkRegions } from '../../../src/pricing/tables/check-regions.ts';
import { TABLES } from '../../helpers/pricing/assessments.ts';

/** The shipped table with fields of one row replaced. */
const changed = (row: number, fields: object) => ({
  ...TABLES.regions,
  rows: TABLES.regions.rows.map((one, at) => (at === row ? { ...one, ...fields } : one)),
});
const SPREAD = { low: 0.9, high: 1.2, jobs: 20, source: 'mine' };
const lossAt = (threshold: number, more: object = {}) => ({
  total_loss: { rule: 'percent_of_value', source: 'mine', threshold, ...more },
});
const pricesOf = (...prices: object[]) => ({
  prices: prices.map((price) => ({ part: 'hood', oem: 700, source: 'mine', ...price })),
});

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

it.each<[field: string, reason: string, fields: object, row?: number]>([
  ['rate_per_hour', 'low 200 is above high 100', { rate_per_hour: [200, 100] }, 2],
  ['code', 'listed twice', { code: 'US_CALIFORNIA' }, 1],
  ['source', 'is missing', { source: undefined }],
  ['curency', 'is not a field. Did you mean currency?', { curency: 'USD' }],
  ['currency', 'not a currency of ISO 4217 (did you mean "EU', { currency: 'EUE' }],
  ['currency', 'no exchange rate for KWD, and part prices are', { currency: 'KWD' }],
  ['date', 'not a day of the calendar', { date: '2026-13-45' }],
  ['date', 'not between 2000 and 2100', { date: '0206-01-31' }],
  ['date', 'is "1 May 2026"; a day as YYYY-MM-DD', { date: '1 May 2026' }],
  ['tax_rate', '0.55 is 55 %; no tax is above 30 %', { tax_rate: 0.55 }],
  ['tax_rate', '7.25 is a percentage; 0.0725 is the share that is meant', { tax_rate: 7.25 }],
  ['tax_rate', '1.19 is no share: as a factor, it is 0.19; as a percentage, 0.0119', { tax_rate: 1.19 }],
  ['tax_rate', 'is "6.25 %"; a share of at least 0, a number such as 0.0625', { tax_rate: '6.25 %' }],
  ['total_loss.threshold', 'is 0.01; a share of the value from 0.1 to 2 (0.75 is 75 %)', lossAt(0.01)],
  ['total_loss.near_from', 'is above the threshold of 0.7', lossAt(0.7, { near_from: 0.8 })],
  ['spread.high', 'is 900; a number from 1 to 10 is needed', { spread: { ...SPREAD, high: 900 } }],
  ['rate_per_hour', 'implausible; 2 to 2000 is expected', { rate_per_hour: [75, 1e9] }],
  ['rate_per_hour[0]', 'is -1; a number above 0 is needed', { rate_per_hour: [-1, 5] }],
  ['departments.body', 'implausible; 310 to 310000 is expected', { departments: { body: [75, 90] } }, 7],
  ['departments.body', 'is 75; a pair [low, high], such as [75, 90]', { departments: { body: 75 } }],
  ['departments.paint', 'is not a field. One of body, refinish', { departments: { paint: [75, 90] } }],
  ['departments.materials', '2 to 300 is expected', { departments: { materials: [500, 900] } }],
  ['prices[0].part', 'not a part (did you mean "front_bumper', pricesOf({ part: 'front_bumpr' })],
  ['prices[1].oem', '0.49 USD is implausible', pricesOf({ oem: 0.5 }, { part: 'roof', oem: 0.49 })],
  ['prices[1]', 'listed twice, first in [0]; keep one', pricesOf({}, { oem: 750 })],
])('a table is refused with row and reason: %s %s', (field, reason, fields, row = 0) => {
  const { code, message, fields: named } = refusal(changed(row, fields));
  expect(code).toBe('INVALID_TABLE');
  expect(message).toMatch(/^mine\.json: /);
  expect(message).toContain(reason);
  const { code: place } = { ...TABLES.regions.rows[row], ...fields } as { code: string };
  expect(named).toContain(`rows[${row}] (${place}).${field}`);
});

it('a table may have every amount that its limits name, in any currency', () => {
  for (const [row, { currency, code }] of TABLES.regions.rows.entries()) {
    const { message } = refusal(changed(row, { rate_per_hour: [1e9, 1e9] }));
    const [, least, most] = /; ([\d.e+]+) to ([\d.e+]+) is expected/.exec(message) ?? [];
    const rates = { rate_per_hour: [Number(least), Number(most)] };
    expect(() => checkRegions(changed(row, rates), `${code} ${currency}`)).not.toThrow();
  }
});

it.each([null, 7, 'rows', [], {}])('a table is refused when it is %j', (table) => {
  expect(refusal(table).code).toBe('INVALID_TABLE');
});
