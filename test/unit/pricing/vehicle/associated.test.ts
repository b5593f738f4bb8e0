import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assessed, TABLES } from '../../../helpers/assessments.ts';
import { minor, request } from '../../../helpers/random-claims.ts';

const crack = (location: string) => ({ damage_id: location, type: 'crack', location, severity: 'severe' });
function result(damages: readonly object[], associated_operations?: string) {
  const { data } = assessed({ damages, assessment_options: { associated_operations } });
  const costs = data.summary.repair_cost_summary;
  return { lines: data.estimate.associated ?? [], costs, total: costs.adjusted_total };
}

describe('operations expected with a repair', { timeout: 120_000 }, () => {
  it('off: none; likely: in the upper end alone; all: in the total', () => {
    const [off, likely, all] = ['off', 'likely', 'all'].map((mode) => result([crack('front_bumper')], mode));
    if (off === undefined || likely === undefined || all === undefined) throw new Error('three results');
    const sum = (lines: typeof off.lines) => lines.reduce((total, line) => total + line.total, 0);
    expect(off.lines).toEqual([]);
    expect(likely.total.estimated).toBe(off.total.estimated);
    expect(likely.total.min).toBe(off.total.min);
    expect(likely.total.max).toBeCloseTo(off.total.max + sum(likely.lines), 6);
    expect(all.total.estimated).toBeCloseTo(off.total.estimated + sum(all.lines), 6);
    expect(all.lines.length).toBeGreaterThan(likely.lines.length);
    expect(likely.lines.every((line) => line.share_of_jobs >= 0.5)).toBe(true);
  });

  it('a new bumper cover brings absorber, clips, plastic preparation, scans and radar calibration', () => {
    // Absorber 0.2 h x 115 + 110.00; preparation 0.7 h x (115 + 53.50); calibration 469.00 (a Lexus, 2025/26).
    const { lines } = result([crack('front_bumper')]);
    const totals = Object.fromEntries(lines.map((line) => [line.part, line.total]));
    expect(totals).toMatchObject({
      front_impact_absorber: 133,
      prepare_unprimed_plastic: 117.95,
      front_radar_calibration: 469,
      scan_before_repair: 57.5,
    });
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
