// @module-tag slow: laws over hundreds of claims
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assessed, TABLES } from '../../../helpers/pricing/assessments.ts';
import { minor, request } from '../../../helpers/pricing/random-claims.ts';

const crack = (location: string) => ({ damage_id: location, type: 'crack', location, severity: 'severe' });
function result(damages: readonly object[], associated_operations?: string) {
  const { data } = assessed({ damages, assessment_options: { associated_operations } });
  const costs = data.summary.repair_cost_summary;
  const allowance = (data.estimate.lines ?? []).find((line) => line.line_id === 'less_likely_operations/add');
  return {
    lines: data.estimate.associated ?? [],
    allowance: allowance?.amount ?? 0,
    costs,
    total: costs.adjusted_total,
  };
}

describe('operations expected with a repair', { timeout: 120_000 }, () => {
  it('off: none; likely: in the upper end alone; all: in the total', () => {
    const [off, likely, all] = ['off', 'likely', 'all'].map((mode) => result([crack('front_bumper')], mode));
    if (off === undefined || likely === undefined || all === undefined) throw new Error('three results');
    const sum = (lines: typeof off.lines) => lines.reduce((total, line) => total + line.total, 0);
    expect(off.lines).toEqual([]);
    expect(likely.total.estimated).toBe(off.total.estimated);
    expect(likely.total.min).toBe(off.total.min);
    expect(likely.total.max).toBeCloseTo(off.total.max + sum(likely.lines) + likely.allowance, 6);
    expect(all.allowance + off.allowance).toBe(0);
    expect(all.total.estimated).toBeCloseTo(off.total.estimated + sum(all.lines), 6);
    expect(all.lines.length).toBeGreaterThan(likely.lines.length);
    expect(likely.lines.every((line) => line.share_of_jobs >= 0.5)).toBe(true);
  });

  it('a new bumper cover brings brackets, clips, plastic preparation and scans', () => {
    // Brackets 0.3 h x 115 + 24.00; preparation 0.7 h x (115 + 53.50); a scan 125.00 (CCC 2017); wrapped 0.4 h + 12.00.
    const { lines } = result([crack('front_bumper')]);
    const totals = Object.fromEntries(lines.map((line) => [line.part, line.total]));
    expect(totals).toMatchObject({
      front_bumper_brackets: 58.5,
      clips: 25,
      prepare_unprimed_plastic: 117.95,
      scan_before_repair: 125,
      cover_car: 58,
    });
  });

  it('a new rear cover as a shop would write it: every operation by its share of jobs', () => {
    const { costs, allowance, lines } = result([crack('rear_bumper')]);
    // Body 115 USD an hour, refinish with materials 168.50. The cover: 2.0 h, 594.00, 4.2 h of refinish.
    expect(costs.adjusted_total.estimated).toBe(1531.7);
    // Absorber (0.2 h + 54.00) x 21 % = 16.17, calibration (1.0 h + 250.00) x 29 % = 105.85.
    expect(allowance).toBe(122.02);
    // Bar 351.00 x 57 %, brackets 66.00 x 50 %, two lamps 46.00 x 53 %, clips 25.00 x 90 %, preparation 117.95 x 70 %,
    // flex 12.00 x 69 %, tint 84.25 x 94 %, wrapping 58.00 x 91 %, sanding 172.50 x 69 %, waste 5.00 x 90 %, battery
    // 23.00 x 55 %, scans 125.00 x 91 % and 87 %: 885.84.
    expect(costs.expected_total).toBe(2539.56);
    expect(lines.every((line) => line.share_of_jobs >= 0.5)).toBe(true);
    expect(result([crack('rear_bumper')], 'off').costs).not.toHaveProperty('expected_total');
    expect(result([crack('rear_bumper')], 'all').costs).not.toHaveProperty('expected_total');
  });

  it('what may be replaced is not taken off as well', () => {
    const grilles = result([crack('front_bumper')], 'all').lines.filter((line) => line.part === 'grille');
    expect(grilles.map((line) => line.operation)).toEqual(['R&R']);
  });

  it('a new quarter panel is measured on the bench once, also where structural work is named', () => {
    const quarter = { ...crack('quarter_panel_left'), type: 'panel_damage', severity: 'severe' };
    const setUps = (damages: readonly object[]) =>
      result(damages, 'all').lines.filter((line) => line.operation === 'Setup').length;
    const replaced = { ...quarter, subtype: 'missing_part' };
    expect(setUps([replaced])).toBe(1);
    expect(setUps([{ ...quarter, type: 'frame_damage', severity: 'critical' }])).toBe(0);
  });

  it('a bumper is taken off once, and not at all where it is replaced anyway', () => {
    const part = (damages: readonly object[]) =>
      result(damages, 'all').lines.filter((line) => line.part === 'front_bumper').length;
    const fenders = ['left', 'right'].map((side) => ({
      ...crack(`front_fender_${side}`),
      type: 'panel_damage',
      severity: 'critical',
    }));
    expect(part(fenders)).toBe(1);
    expect(part([...fenders, crack('front_bumper')])).toBe(0);
  });

  it('a dent pushed out on a door brings nothing', () => {
    const dent = { damage_id: 'd', type: 'dent', location: 'front_door_left', severity: 'minor' };
    expect(result([dent], 'all').lines).toEqual([]);
  });

  it('every row has a source, and every sum holds with all of them', () => {
    for (const row of TABLES.associated.rows) expect(row.source.length).toBeGreaterThan(5);
    fc.assert(
      fc.property(request, (asked) => {
        const options = { ...asked.assessment_options, associated_operations: 'all' };
        const { data, meta } = assessed({
          ...asked,
          assessment_options: { ...options, labor_rate_region: 'EU_UK' },
        });
        const {
          departments,
          adjusted_total: total,
          adjustments,
          ...costs
        } = data.summary.repair_cost_summary;
        const cents = (amount: number) => minor(amount, meta.currency);
        expect(departments.reduce((sum, row) => sum + cents(row.total), 0)).toBe(cents(total.estimated));
        for (const end of ['min', 'estimated', 'max'] as const)
          expect(
            cents(costs.recommended_repairs_total[end]) +
              adjustments.reduce((sum, line) => sum + cents(line[end]), 0),
          ).toBe(cents(total[end]));
      }),
      { numRuns: 100 },
    );
  });
});
