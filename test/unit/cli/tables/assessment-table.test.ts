import { describe, expect, it } from 'vitest';
import { renderAssessmentTable } from '../../../../src/cli/tables/assessment-table.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';

const FRONT = {
  damages: [
    { damage_id: 'a', type: 'panel_damage', location: 'hood', severity: 'severe' },
    { damage_id: 'b', type: 'crack', location: 'front_bumper', severity: 'severe' },
    { damage_id: 'c', type: 'dent', location: 'rear_door_left', severity: 'moderate' },
  ],
};

/** Returns an assessment as a terminal of 80 columns without colours shows it. */
function tableOf(request: Record<string, unknown>): string {
  return renderAssessmentTable(assessed(request), { colour: 0, columns: 80, quiet: false, explain: false });
}

const within = (text: string, from: string, to: string) =>
  text.slice(text.indexOf(from), text.indexOf(to, text.indexOf(from)));

describe('an estimate on a terminal of 80 columns', () => {
  it.each([
    ['dollars', FRONT],
    ['yen', { ...FRONT, assessment_options: { labor_rate_region: 'ASIA_JAPAN', currency: 'JPY' } }],
  ])('%s: no line is wider, no name is cut off', (_, request) => {
    const text = tableOf(request);
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(text).not.toContain('…');
    expect(text.replace(/\s+/g, ' ')).toContain('Lower shield and ducts (Front');
  });

  it.each([
    ['stated by a person as it was stated', { measurements: { length: 65.6, unit: 'cm' } }, 'dent, 65.6 cm,'],
    [
      'measured in photos by its interval',
      { measurements: { length: 65.6, unit: 'cm', uncertainty_cm: 20 } },
      'dent, ~65 cm,',
    ],
    [
      'that the severity was judged by as an inspection shows it',
      { explain: [{ rule: 'severity.dent', inputs: { long_side_cm: 165.6 } }] },
      'dent, ~170 cm,',
    ],
  ])('shows a size %s', (_, size, words) => {
    const dent = { damage_id: 'a', type: 'dent', location: 'hood', severity: 'severe', ...size };
    expect(tableOf({ damages: [dent] })).toContain(words);
  });

  it('breaks a long name inside its column', () => {
    const expected = within(tableOf(FRONT), 'expected with this', 'Not seen from outside');
    expect(expected).toMatch(/A\/C evacuate and recharge \(Front +1\.8/);
    expect(expected).toMatch(/^ {12}bumper\)$/m);
  });

  it('keeps amount and range on one line where both are long', () => {
    const totals = within(
      tableOf({
        damages: [
          ...FRONT.damages,
          { damage_id: 'd', type: 'crack', location: 'engine', severity: 'critical' },
          { damage_id: 'e', type: 'crack', location: 'transmission', severity: 'critical' },
        ],
        vehicle: { class: 'luxury' },
        assessment_options: { labor_rate_region: 'ASIA_JAPAN', currency: 'JPY' },
      }),
      'Totals',
      'Low and high',
    );
    expect(totals).toMatch(/^As one repair, net +¥[\d,]{9,} {2}¥[\d,]{7,}–[\d,]{9,}$/m);
    expect(totals).toMatch(/^ {2}(on )?further ones, at most 2\.5 h$/m);
  });

  it('ends the list of lines with net, tax and gross, to the cent', () => {
    const { tax, adjusted_total: net } = assessed(FRONT).data.summary.repair_cost_summary;
    const lines = within(tableOf(FRONT), 'E01', 'expected with this');
    const amount = (of: number | undefined) => of?.toLocaleString('en-US', { minimumFractionDigits: 2 });
    expect(lines.match(/^ {11}(.*\S) {2,}\$([\d,.]+)$/gm)?.map((line) => line.trim().split(/ {2,}/))).toEqual(
      [
        ['Net total', `$${amount(net.estimated)}`],
        ['Sales tax, 6.25 %', `$${amount(tax?.amount)}`],
        ['Gross total', `$${amount(tax?.gross_total)}`],
      ],
    );
  });

  it('leaves out what rounds to nothing', () => {
    const request = { ...FRONT, assessment_options: { labor_rate_region: 'EU_GERMANY', currency: 'EUR' } };
    const rounding = assessed({
      ...request,
      damages: [...FRONT.damages, { damage_id: 'd', type: 'dent', location: 'roof', severity: 'minor' }],
    }).data.summary.repair_cost_summary.adjustments.find(({ code }) => code === 'rounding');
    expect(Math.abs(rounding?.estimated ?? 0)).toBeLessThan(0.5);
    expect(tableOf(request)).not.toContain('Rounding');
  });

  it.each([
    ['US_MIDWEST', 'USD', '; less $0 for the damage: $13,445', '10 % × damage 0'],
    ['EU_UK', 'GBP', 'usual here, stands in Loss', 'Loss of value not estimated: No published rule'],
  ])('%s: says whether a loss of value was estimated', (labor_rate_region, currency, value, how) => {
    const dent = {
      damages: [{ damage_id: 'a', type: 'dent', location: 'hood', severity: 'moderate' }],
      assessment_options: { labor_rate_region, currency },
    };
    const text = within(tableOf(dent), 'Value', 'Notes').replace(/\s+/g, ' ');
    expect(text).toContain(value);
    expect(text).toContain(how);
    expect(text).toContain('Total loss unknown, no market value was given: Repair with tax,');
  });
});
