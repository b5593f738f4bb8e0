import { describe, expect, it } from 'vitest';
import { VehiError } from '../../../src/lib/errors.ts';
import { checkRegions } from '../../../src/pricing/tables/check-regions.ts';
import { TABLES } from '../../helpers/pricing/assessments.ts';

const regions = (change: (rows: Record<string, unknown>[]) => void) => {
  const table = structuredClone(TABLES.regions) as unknown as { rows: Record<string, unknown>[] };
  change(table.rows);
  return table;
};

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
  it.each([
    [
      'low above high',
      (rows: Record<string, unknown>[]) => {
        (rows[2] as { rate_per_hour: number[] }).rate_per_hour = [200, 100];
      },
      'rows[2] (US_NORTHEAST).rate_per_hour',
      /low 200 is above high 100/,
    ],
    [
      'a code twice',
      (rows: Record<string, unknown>[]) => {
        (rows[1] as { code: string }).code = 'US_CALIFORNIA';
      },
      'rows[1] (US_CALIFORNIA).code',
      /listed twice/,
    ],
    [
      'no source',
      (rows: Record<string, unknown>[]) => {
        delete rows[0]?.source;
      },
      'rows[0] (US_CALIFORNIA).source',
      /is missing/,
    ],
    [
      'a typo',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { curency: 'USD' });
      },
      'rows[0] (US_CALIFORNIA).curency',
      /is not a field\. Did you mean currency\?/,
    ],
    [
      'a currency that does not exist',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { currency: 'EUE' });
      },
      'rows[0] (US_CALIFORNIA).currency',
      /not a currency of ISO 4217 \(did you mean "EU/,
    ],
    [
      'a currency without a rate',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { currency: 'KWD' });
      },
      'rows[0] (US_CALIFORNIA).currency',
      /exchange table has no KWD/,
    ],
    [
      'an invalid day',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { date: '2026-13-45' });
      },
      'rows[0] (US_CALIFORNIA).date',
      /not a day of the calendar/,
    ],
    [
      'a day of another century',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { date: '0206-01-31' });
      },
      'rows[0] (US_CALIFORNIA).date',
      /not between 2000 and 2100/,
    ],
    [
      'a tax of 100 %',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { tax_rate: 1 });
      },
      'rows[0] (US_CALIFORNIA).tax_rate',
      /no tax is above 30 %/,
    ],
    [
      'a tax as a percentage',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { tax_rate: 7.25 });
      },
      'rows[0] (US_CALIFORNIA).tax_rate',
      /7.25 is a percentage; 0.0725 is the share that is meant/,
    ],
    [
      'an implausible rate',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { rate_per_hour: [75, 1_000_000_000] });
      },
      'rows[0] (US_CALIFORNIA).rate_per_hour',
      /implausible; 2 to 2000 is expected/,
    ],
    [
      'yen given as dollars',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[7] as object, { departments: { body: [75, 90] } });
      },
      'rows[7] (ASIA_JAPAN).departments.body',
      /implausible; 310 to 310000 is expected/,
    ],
    [
      'an unknown part',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { prices: [{ part: 'front_bumpr', oem: 500, source: 'mine' }] });
      },
      'rows[0] (US_CALIFORNIA).prices[0].part',
      /not a part \(did you mean "front_bumper/,
    ],
    [
      'a negative rate',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { rate_per_hour: [-1, 5] });
      },
      'rows[0] (US_CALIFORNIA).rate_per_hour[0]',
      /is -1; a number above 0 is needed/,
    ],
    [
      'one figure for a pair',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { departments: { body: 75 } });
      },
      'rows[0] (US_CALIFORNIA).departments.body',
      /is 75; a pair \[low, high\], such as \[75, 90\], is needed/,
    ],
    [
      'an unknown department',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { departments: { paint: [75, 90] } });
      },
      'rows[0] (US_CALIFORNIA).departments.paint',
      /is not a field\. One of body, refinish/,
    ],
    [
      'a tax in words',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { tax_rate: '6.25 %' });
      },
      'rows[0] (US_CALIFORNIA).tax_rate',
      /is "6\.25 %"; a share of at least 0, a number such as 0\.0625/,
    ],
    [
      'a day in words',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { date: '1 May 2026' });
      },
      'rows[0] (US_CALIFORNIA).date',
      /is "1 May 2026"; a day as YYYY-MM-DD/,
    ],
    [
      'materials of 500 an hour',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { departments: { materials: [500, 900] } });
      },
      'rows[0] (US_CALIFORNIA).departments.materials',
      /implausible; 2 to 300 is expected/,
    ],
    [
      'a part for nothing',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, { prices: [{ part: 'hood', oem: 0, source: 'mine' }] });
      },
      'rows[0] (US_CALIFORNIA).prices[0].oem',
      /0 USD is implausible/,
    ],
    [
      'a part for next to nothing',
      (rows: Record<string, unknown>[]) => {
        Object.assign(rows[0] as object, {
          prices: [
            { part: 'hood', oem: 0.5, source: 'mine' },
            { part: 'roof', oem: 0.49, source: 'mine' },
          ],
        });
      },
      'rows[0] (US_CALIFORNIA).prices[1].oem',
      /0\.49 USD is implausible/,
    ],
    [
      'a price twice',
      (rows: Record<string, unknown>[]) => {
        const price = { part: 'hood', oem: 700, source: 'mine' };
        Object.assign(rows[0] as object, { prices: [price, { ...price, oem: 750 }] });
      },
      'rows[0] (US_CALIFORNIA).prices[1]',
      /listed twice, first in \[0\]; keep one/,
    ],
  ])('is refused for %s, with row and reason', (_, change, field, reason) => {
    const { code, message, fields } = refusal(regions(change));
    expect(code).toBe('INVALID_TABLE');
    expect(message).toMatch(/^mine\.json: /);
    expect(message).toMatch(reason);
    expect(fields).toContain(field);
  });

  it.each([null, 7, 'rows', [], {}])('is refused when it is %j', (table) => {
    expect(refusal(table).code).toBe('INVALID_TABLE');
  });
});
