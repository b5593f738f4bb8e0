import { describe, expect, it } from 'vitest';
import type { InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import { formatCsv, formatPartsCsv, writeCsvCell } from '../../../../src/report/formats/csv.ts';
import { formatGithub } from '../../../../src/report/formats/github.ts';
import { formatJunit } from '../../../../src/report/formats/junit.ts';
import { formatLinesCsv } from '../../../../src/report/formats/lines.ts';
import { formatMarkdown } from '../../../../src/report/formats/markdown.ts';
import { exampleAssessment } from '../../../helpers/results/example-assessment.ts';
import { type ExampleShape, exampleInspection } from '../../../helpers/results/example-inspection.ts';
import { divide } from '../../../helpers/results/two-vehicles.ts';

const options = { failOn: 'severe' } as const;
const inspection = exampleInspection({ damages: 12, photos: 6 });
const input = { inspection, assessment: null };
const priced = { inspection, assessment: exampleAssessment(inspection) };
const alone = { ...priced, inspection: null };
/** The result of an example, or of an inspection. */
const make = (of: ExampleShape | InspectionEnvelope) => ({
  inspection: 'data' in of ? of : exampleInspection(of),
  assessment: null,
});

/** Reads RFC 4180 text back into rows: the independent half of the round trip. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

/** Reads the rows of a table by the names of its columns. */
function readRecords(text: string): readonly Readonly<Record<string, string | undefined>>[] {
  const [header = [], ...rows] = readCsv(text);
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index]])));
}

describe('csv', { timeout: 60_000 }, () => {
  it('has one row without certainty that says what was seen where nothing was found', () => {
    const inspection = exampleInspection({ damages: 0 });
    const { coverage, grade_basis } = inspection.data.results ?? {};
    const seen = { parts_seen: String(coverage?.seen), parts: String(coverage?.of) };
    expect(readRecords(formatCsv(make(inspection), options))).toMatchObject([
      { ...seen, certainty: '', damage_id: '', status: 'completed', detail: grade_basis?.message },
    ]);
  });

  it('has a header and one row per finding, every row as wide as the header', () => {
    for (const damages of [0, 1, 20]) {
      const rows = readCsv(formatCsv(make({ damages, toCheck: damages && 2 }), options));
      expect(rows).toHaveLength(1 + (damages > 0 ? damages + 2 : 1));
      expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    }
  });

  it('says once, in the first row, what the costs of all rows hold', () => {
    const [first, ...others] = readRecords(formatCsv(input, options)).map((row) => row.cost_scope);
    expect(first).toMatch(/^Without tax\./);
    expect(new Set(others)).toEqual(new Set(['']));
  });

  it('takes costs from the assessment where there is one', () => {
    expect(readRecords(formatCsv(priced, options)).map((row) => row.repair_option)).toEqual(
      priced.assessment.data.assessed_damages.map((one) => one.recommended_repair.option),
    );
  });

  it.each([
    ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ['+1', "'+1"],
    ['@a', "'@a"],
    [-5, '-5'],
    [null, ''],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
  ])('writes %j as %j', (value, expected) => expect(writeCsvCell(value)).toBe(expected));
});

describe('parts', () => {
  const readParts = (result: Parameters<typeof formatPartsCsv>[0]) =>
    readRecords(formatPartsCsv(result, options));

  it.each([
    ['an inspection', input, inspection.data.results?.repair_cost.estimated],
    ['an assessment', priced, priced.assessment.data.summary.repair_cost_summary.first_bill?.estimated],
  ])('add up to the price of the job to the cent, each damage in one row: %s', (_, result, total) => {
    const rows = readParts(result);
    const cents = rows.reduce((sum, { cost }) => sum + Math.round(Number(cost) * 100), 0);
    expect(cents).toBe(Math.round((total ?? 0) * 100));
    const ids = rows.flatMap(({ damage_ids: own = '' }) => own.split(' ').filter(Boolean));
    expect(ids.toSorted()).toEqual(inspection.data.results?.damages.map((one) => one.damage_id).toSorted());
  });

  it('are those of each vehicle where the photos show several', () => {
    const rows = readParts(make(divide(inspection)));
    expect([...new Set(rows.map(({ vehicle }) => vehicle))]).toEqual(['1', '2']);
  });

  it('are one row without kind that says so where there is no damage', () => {
    const clean = exampleInspection({ damages: 0 });
    const [, , figures] = formatMarkdown(make(clean), options).split('\n');
    expect(figures).toMatch(/^\*\*Damage\*\* none found, grade/);
    expect(readParts(make(clean))).toEqual([
      expect.objectContaining({ kind: '', damage: clean.data.results?.grade_basis.message, cost: '' }),
    ]);
  });
});

describe('lines of the estimate', () => {
  it('are only the header where there is no damage, and the reason where the inspection failed', () => {
    const clean = exampleInspection({ damages: 0 });
    const failure = { code: 'NO_VEHICLE', message: 'no photo shows a vehicle.' };
    const failed = { ...clean, data: { ...clean.data, results: null, failure } };
    expect(formatLinesCsv(make(clean), options)).toMatch(/^record,number,[\w,]+\r\n$/);
    expect(readRecords(formatLinesCsv(make(failed), options))).toMatchObject([
      { record: 'note', note: 'NO_VEHICLE: no photo shows a vehicle.' },
    ]);
  });

  it('say what to do for photos of several vehicles, which no flag prices', () => {
    expect(() => formatLinesCsv(make(divide(inspection)), options)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('--many FOLDER --assess') }),
    );
  });
});

describe('github', () => {
  it('has a line for the grounds, per damage and per rejected photo, levels by the threshold', () => {
    const lines = formatGithub(input, options).trimEnd().split('\n');
    expect(lines).toHaveLength(15);
    expect(lines[0]).toMatch(
      /^::notice title=vehi \/ coverage::[A-Z]\w+ [\d.]+\/10\. 12 damages found on the parts seen \(8 of 23\); not seen/,
    );
    const severe = inspection.data.results?.damages.filter(
      (one) => one.severity === 'severe' || one.severity === 'critical',
    ).length;
    expect(lines.filter((line) => line.startsWith('::error '))).toHaveLength(severe ?? -1);
  });

  it('does not let a file name start a command or a property', () => {
    const evil = 'a.jpg\n::error::pwned,title=x:y%0A';
    const text = formatGithub(make({ damages: 1, photos: 1, rich: false, photoUrl: () => evil }), options);
    const [, , ...lines] = text.trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^::\w+ file=a\.jpg%0A%3A%3Aerror%3A%3Apwned%2Ctitle=x%3Ay%250A,title=vehi \/ scratch::No\. 1/,
    );
  });
});

describe('every format that names an amount', () => {
  it.each([formatCsv, formatJunit, formatGithub])('says that it holds visible damage only, %#', (format) => {
    for (const one of [input, alone])
      expect(format(one, options)).toMatch(/Visible damage only: after teardown .* 1\.7 to 2\.4/);
  });
});

describe('markdown', () => {
  it('has a table row per damaged part with its numbers, and the total', () => {
    const cells = formatMarkdown(input, options).match(/^\| [\d ]+ \|/gm) ?? [];
    expect(cells.flatMap((cell) => cell.match(/\d+/g) ?? [])).toHaveLength(12);
    expect(formatMarkdown(input, options)).toContain('| **total** |');
  });

  it('shows the estimate of an assessment', () => {
    const { assessment } = structuredClone(alone);
    Object.assign(assessment.data.summary.repair_cost_summary.tax ?? {}, { gross_total: 1190 });
    const text = formatMarkdown({ ...alone, assessment }, options);
    expect(text).toContain('### Repair estimate');
    expect(text).toMatch(/^\*\*Repair\*\* about \$/m);
    expect(text).toContain('1,190');
  });

  it('escapes markup and mentions in names', () => {
    const name = (vehicleId: string) => formatMarkdown(make({ damages: 0, vehicleId }), options);
    expect(name('a|b <img src=x> @team #1 [x](y)')).toContain(
      'a\\|b &lt;img src=x&gt; &#64;team &#35;1 \\[x\\](y)',
    );
    expect(name('1. Golf')).toMatch(/^1\\. Golf · /m);
  });
});
