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
    for (const [words, of] of [
      ['As seen, net', net.estimated],
      ['Sales tax', tax?.amount],
      ['As seen, gross', tax?.gross_total],
    ] as const)
      expect(lines.split('\n').find((line) => line.includes(words))).toContain(amount(of));
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

  it('has rows whose printed costs add up to the printed total', () => {
    const table = within(tableOf(FRONT, { options: true }), 'No. ', 'Repair options by damage');
    const costs = [...table.matchAll(/([−]?)\$([\d,]+)/g)].map(
      ([, minus, digits = '']) => Number(digits.replaceAll(',', '')) * (minus ? -1 : 1),
    );
    const total = costs.pop();
    expect(costs.reduce((sum, one) => sum + one, 0)).toBe(total);
  });

  it.each([
    ['US_MIDWEST', 'USD', 'Market value less the loss.', '10 % × damage 0'],
    ['EU_UK', 'GBP', 'Loss of value', 'Not estimated: No published rule'],
  ])('%s: says whether a loss of value was estimated', (labor_rate_region, currency, value, how) => {
    const dent = {
      damages: [{ damage_id: 'a', type: 'dent', location: 'hood', severity: 'moderate' }],
      assessment_options: { labor_rate_region, currency },
    };
    const text = printAnswer({ assessment: assessed(dent) }, { columns: 200, options: true });
    const table = within(text, 'Timeline and vehicle value', 'REPAIR').replace(/\s+/g, ' ');
    expect(table).toContain(value);
    expect(table).toContain(how);
    expect(table).toContain('Give the market value');
  });
});
