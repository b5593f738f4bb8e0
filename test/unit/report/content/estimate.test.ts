import { describe, expect, it } from 'vitest';
import type { Result } from '../../../../src/contract/result.ts';
import type { Row, Section } from '../../../../src/report/content/blocks.ts';
import { listReportSections } from '../../../../src/report/content/report.ts';
import { describeLossWarning } from '../../../../src/report/content/value.ts';
import { NO_PICTURES } from '../../../../src/report/pictures.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';

const DENT = { damage_id: 'a', type: 'dent', location: 'rear_door_left', severity: 'moderate' };

/** Returns the sections of an estimate without photos. */
function sectionsOf(request: Record<string, unknown>): readonly Section[] {
  const input: Result = { inspection: null, assessment: assessed(request) };
  return listReportSections(input, NO_PICTURES, new Date(0));
}

const sectionOf = (id: string, request: Record<string, unknown>) =>
  sectionsOf(request).find((section) => section.id === id);

/** Returns all texts of a section, cell by cell. */
function textsOf(section: Section | undefined): string[] {
  const rowTexts = ({ cells, note }: Row) => [
    ...cells.map((cell) => (typeof cell === 'string' ? cell : JSON.stringify(cell))),
    ...(note === undefined ? [] : [note]),
  ];
  return (section?.blocks ?? []).flatMap((block) =>
    block.kind === 'table' ? block.rows.flatMap(rowTexts) : 'text' in block ? [block.text] : [],
  );
}

describe('the report of an estimate without photos', () => {
  it('has no columns for photos', () => {
    const [table] = sectionOf('damages', { damages: [DENT] })?.blocks ?? [];
    expect(table?.kind === 'table' && table.columns.map(({ title }) => title)).toEqual([
      'No.',
      'Part',
      'Damage',
      'Severity',
      'Score',
      'Size',
      'Recommended repair',
    ]);
  });

  it.each([
    ['US_MIDWEST', 'USD', undefined],
    ['ASIA_JAPAN', 'JPY', 'Warnings'],
  ])('%s: has a section of warnings where there are any', (labor_rate_region, currency, title) => {
    const request = { damages: [DENT], assessment_options: { labor_rate_region, currency } };
    expect(sectionOf('caveats', request)?.title).toBe(title);
  });

  it.each([
    ['US_MIDWEST', 'USD', 'Sales tax, 6.25 %'],
    ['ASIA_JAPAN', 'JPY', 'Consumption tax, 10 %'],
    ['EU_UK', 'GBP', 'VAT, 20 %'],
  ])('%s: names the tax the same way in both tables', (labor_rate_region, currency, tax) => {
    const request = { damages: [DENT], assessment_options: { labor_rate_region, currency } };
    expect(
      textsOf(sectionOf('estimate', request)).some((text) =>
        text.startsWith(tax.replace(',', ' on the lines,')),
      ),
    ).toBe(true);
    expect(textsOf(sectionOf('lines', request))).toContain(tax);
  });

  it('says loss of value where a rule of the region gives one, and days in the singular', () => {
    const minor = { ...DENT, severity: 'minor' };
    const ours = sectionsOf({ damages: [minor] });
    const texts = (id: string, of: readonly Section[]) => textsOf(of.find((section) => section.id === id));
    expect(texts('options', ours)[1]).toBe(
      'Impact: structure none, looks minor, safety none, value unchanged.',
    );
    expect(texts('value', ours)).toEqual(expect.arrayContaining(['1 working day', 'Value after']));
    const german = sectionsOf({
      damages: [minor],
      assessment_options: { labor_rate_region: 'EU_GERMANY', currency: 'EUR' },
    });
    expect(texts('options', german)[1]).toBe('Impact: structure none, looks minor, safety none.');
    expect(texts('value', german)).not.toContain('Value after');
    expect(texts('value', german).filter((text) => text.startsWith('Not estimated: '))).toHaveLength(1);
  });

  it('names parts, their source, calibrations and risks as sentences', () => {
    const request = {
      damages: [
        { ...DENT, severity: 'critical', type: 'panel_damage' },
        { ...DENT, damage_id: 'b', type: 'crack', location: 'front_bumper', severity: 'severe' },
      ],
    };
    const options = textsOf(sectionOf('options', request));
    expect(options).toContainEqual(
      expect.stringMatching(
        /^Replace the panel and refinish it, with an aftermarket part\. Parts: rear door, left \$645; paint materials \$\d+\./,
      ),
    );
    const value = textsOf(sectionOf('value', request));
    expect(value).toContainEqual(
      expect.stringMatching(/^Front bumper \(front radar\): Calibration, or replacement/),
    );
  });

  it.each([
    [2000, /^TOTAL LOSS\. Repair with tax, \$[\d,]+, is [\d.]+ % of \$2,000; the limit is 75 %\.$/],
    [5000, /^Near the total-loss threshold\. Repair with tax/],
    [30_000, null],
  ])('worth %i: says next to the price whether it is a total loss', (market_value, warning) => {
    const severe = { ...DENT, type: 'panel_damage', severity: 'critical' };
    const text = describeLossWarning(assessed({ damages: [severe], vehicle: { market_value } }));
    if (warning === null) expect(text).toBeNull();
    else expect(text).toMatch(warning);
  });

  it('leaves out hours where a supplement changes a price alone', () => {
    const { estimate, summary } = assessed({ damages: [DENT] }).data;
    const { version, lines = [] } = estimate;
    const clips = { operation: 'Add', part: 'clips', price: 20 };
    const supplement_to = {
      version,
      assessment_id: 'asmt_A',
      created_at: '2026-01-30T12:00:00Z',
      currency: 'USD',
      net_total: summary.repair_cost_summary.net_total,
      gross_total: summary.repair_cost_summary.gross_total,
      lines,
    };
    const section = sectionOf('lines', { damages: [DENT], line_edits: [{ add: clips }], supplement_to });
    const table = section?.blocks.find(
      (block) => block.kind === 'table' && block.columns[0]?.title === 'Change',
    );
    const [added] = table?.kind === 'table' ? table.rows : [];
    expect(added?.cells).toEqual(['Added', 'Add', 'Clips', '–', '$0.00', '$20.00', '$20.00']);
  });
});
