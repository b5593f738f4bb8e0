import { describe, expect, it } from 'vitest';
import { assessed } from '../../../helpers/pricing/assessments.ts';
import { printAnswer } from '../../../helpers/reports/print-answer.ts';

const FRONT = {
  damages: [
    { damage_id: 'a', type: 'panel_damage', location: 'hood', severity: 'severe' },
    { damage_id: 'b', type: 'crack', location: 'front_bumper', severity: 'severe' },
    { damage_id: 'c', type: 'dent', location: 'rear_door_left', severity: 'moderate' },
  ],
};

/** Returns an assessment as a terminal of 80 columns without colors shows it. */
const tableOf = (request: Record<string, unknown>, detail = {}) =>
  printAnswer({ assessment: assessed(request) }, detail);

const within = (text: string, from: string, to: string) =>
  text.slice(text.indexOf(from), text.indexOf(to, text.indexOf(from)));

describe('an estimate on a terminal of 80 columns', () => {
  it.each([
    ['dollars', FRONT],
    ['yen', { ...FRONT, assessment_options: { labor_rate_region: 'ASIA_JAPAN', currency: 'JPY' } }],
  ])('%s: no line is wider, no name is cut off', (_, request) => {
    for (const detail of [{}, { options: true }, { options: true, explain: true }]) {
      const text = tableOf(request, detail);
      expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
      expect(text).not.toContain('…');
    }
  });

  it.each([
    ['stated by a person as it was stated', { measurements: { length: 65.6, unit: 'cm' } }, 'dent, 65.6 cm'],
    [
      'measured in photos by its interval',
      { measurements: { length: 65.6, unit: 'cm', uncertainty_cm: 20 } },
      'dent, ~65 cm',
    ],
    [
      'that the severity was judged by as an inspection shows it',
      { explain: [{ rule: 'severity.dent', inputs: { long_side_cm: 165.6 } }] },
      'dent, ~170 cm',
    ],
  ])('shows a size %s', (_, size, words) => {
    const dent = { damage_id: 'a', type: 'dent', location: 'hood', severity: 'severe', ...size };
    expect(tableOf({ damages: [dent] }, { options: true })).toContain(words);
  });

  it('ends the list of lines with net, tax and gross, to the cent', () => {
    const { tax, adjusted_total: net } = assessed(FRONT).data.summary.repair_cost_summary;
    const lines = within(tableOf(FRONT, { options: true }), 'Lines of the estimate', 'Expected with');
    const amount = (of: number | undefined) =>
      `$${of?.toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
    const find = (words: string) => lines.split('\n').find((line) => line.includes(words));
    expect(find('As seen, net')).toContain(amount(net.estimated));
    expect(find('Sales tax')).toContain(amount(tax?.amount));
    expect(find('As seen, gross')).toContain(amount(tax?.gross_total));
  });

  it('has every way of repair with --options, the chosen one alone with --explain, none by default', () => {
    expect(tableOf(FRONT, { options: true })).toContain('Not chosen');
    const explained = tableOf(FRONT, { explain: true });
    expect(explained).toContain('Repair options by damage');
    expect(explained).not.toContain('Not chosen');
    expect(tableOf(FRONT)).not.toContain('Repair options by damage');
  });

  it('explains with the rules that fired and what they looked at', () => {
    expect(tableOf(FRONT, { explain: true })).toMatch(/^\w+(\.\w+)+ \w+=/m);
    expect(tableOf(FRONT)).not.toMatch(/^\w+(\.\w+)+ \w+=/m);
  });

  it.each([
    ['US_MIDWEST', 'USD', 'Market value less the loss.', '10 % × damage 0'],
    ['EU_UK', 'GBP', 'Loss of value', 'Not estimated: No published rule'],
  ])('%s: says whether a loss of value was estimated', (labor_rate_region, currency, value, how) => {
    const request = { ...FRONT, assessment_options: { labor_rate_region, currency } };
    const text = tableOf(request, { columns: 200, options: true });
    const table = within(text, 'Timeline and vehicle value', 'REPAIR').replace(/\s+/g, ' ');
    expect(table).toContain(value);
    expect(table).toContain(how);
    expect(table).toContain('Give the market value');
  });
});
