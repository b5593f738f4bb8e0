// @module-tag slow: laws over hundreds of claims
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEVERITIES } from '../../../src/domain/damage.ts';
import { findFloorScore } from '../../../src/domain/judge/severity.ts';
import { type Currency, findExponent, roundHalfAway } from '../../../src/domain/money.ts';
import {
  assessed,
  body,
  currency,
  minor,
  RUNS,
  recommendedOf,
  regionCode,
  request,
  vehicle,
} from '../../helpers/pricing/random-claims.ts';

describe('laws of an assessment', { timeout: 120_000 }, () => {
  it('every sum of the contract holds to the minor unit', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const { data, meta } = assessed(asked);
        const code = meta.currency as Currency;
        const cents = (amount: number) => minor(amount, code);
        let [min, est, max] = [0, 0, 0];
        for (const damage of data.assessed_damages) {
          const recommended = damage.repair_options.filter((option) => option.recommended);
          expect(recommended.map((option) => option.option)).toEqual([damage.recommended_repair.option]);
          for (const option of damage.repair_options) {
            const { hours, rate_per_hour, total } = option.labor;
            expect(Number.isInteger(Math.round(hours * 1e6) / 1e5)).toBe(true);
            expect(roundHalfAway(hours * cents(rate_per_hour))).toBe(cents(total));
            expect(cents(option.total_cost.labor)).toBe(cents(total));
            const parts = option.parts_required.reduce(
              (sum, part) => sum + cents(part.oem_price ?? Number.NaN),
              0,
            );
            expect(parts).toBe(cents(option.total_cost.parts));
            expect(cents(option.total_cost.parts) + cents(total)).toBe(cents(option.total_cost.total));
            expect(option.cost_range.min).toBeLessThanOrEqual(option.total_cost.total);
            expect(option.cost_range.max).toBeGreaterThanOrEqual(option.total_cost.total);
          }
          const { min_cost, estimated_cost, max_cost } = damage.recommended_repair;
          expect(min_cost).toBeLessThanOrEqual(estimated_cost);
          expect(estimated_cost).toBeLessThanOrEqual(max_cost);
          expect(recommended[0]?.total_cost.total).toBe(estimated_cost);
          min += cents(min_cost);
          est += cents(estimated_cost);
          max += cents(max_cost);
        }
        const { repair_cost_summary: costs, impact_on_vehicle_value: value } = data.summary;
        const total = costs.recommended_repairs_total;
        expect([cents(total.min), cents(total.estimated), cents(total.max)]).toEqual([min, est, max]);
        for (const end of ['min', 'estimated', 'max'] as const) {
          const changes = costs.adjustments.reduce((sum, line) => sum + cents(line[end]), 0);
          expect(cents(total[end]) + changes).toBe(cents(costs.adjusted_total[end]));
        }
        expect(costs.adjusted_total.min).toBeLessThanOrEqual(costs.adjusted_total.estimated);
        expect(costs.adjusted_total.estimated).toBeLessThanOrEqual(costs.adjusted_total.max);
        expect(costs.departments.reduce((sum, row) => sum + cents(row.total), 0)).toBe(
          cents(costs.adjusted_total.estimated),
        );
        expect(costs.all_repairs_range.min).toBeLessThanOrEqual(total.estimated);
        expect(costs.all_repairs_range.max).toBeGreaterThanOrEqual(total.estimated);
        expect(cents(value.estimated_market_value) - cents(value.value_reduction)).toBe(
          cents(value.adjusted_value),
        );
        expect(data.summary.total_value_reduction_percentage).toBeLessThanOrEqual(10);
        if (findExponent(code) === 0) expect(Number.isInteger(total.estimated)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('a more severe damage is never cheaper', () => {
    const pair = fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }));
    fc.assert(
      fc.property(body, vehicle, regionCode, currency, pair, (damage, of, region, code, [a, b]) => {
        const at = (tenths: number) => {
          const severity_score = tenths / 10;
          const severity = [...SEVERITIES].reverse().find((tier) => severity_score >= findFloorScore(tier));
          const one = { ...damage, damage_id: 'd', severity, severity_score };
          return recommendedOf(
            assessed({
              damages: [one],
              vehicle: of,
              assessment_options: { labor_rate_region: region, currency: code },
            }),
          );
        };
        expect(at(Math.max(a, b))).toBeGreaterThanOrEqual(at(Math.min(a, b)));
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  });

  it('the reason against an option agrees with its price', () => {
    fc.assert(
      fc.property(request, (asked) => {
        for (const { repair_options: options, recommended_repair: chosen } of assessed(asked).data
          .assessed_damages)
          for (const { not_recommended_reason: reason, total_cost: cost } of options) {
            const costsMore = cost.total >= chosen.estimated_cost;
            if (reason?.code === 'cheaper_way_exists') expect([cost, costsMore]).toEqual([cost, true]);
            if (reason?.code === 'oem_part_preferred') expect([cost, costsMore]).toEqual([cost, false]);
          }
      }),
      {
        numRuns: RUNS,
        // A way chosen for the job, with two cheaper ones.
        examples: [
          [
            {
              damages: [
                {
                  damage_id: 'd0',
                  type: 'scratch',
                  location: 'hood',
                  severity_score: 0,
                  subtype: 'mirror_damage',
                },
                {
                  damage_id: 'd1',
                  type: 'scratch',
                  location: 'hood',
                  measurements: { length: 10.1, unit: 'cm' },
                },
              ],
              vehicle: { paint: 'three_stage' },
              assessment_options: { labor_rate_region: 'US_CALIFORNIA', currency: 'USD' },
            },
          ],
        ],
      },
    );
  });

  it('a larger damage is never cheaper', () => {
    const pair = fc.tuple(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 600 }));
    fc.assert(
      fc.property(body, vehicle, pair, (damage, of, [a, b]) => {
        const at = (mm: number) =>
          recommendedOf(
            assessed({
              damages: [{ ...damage, damage_id: 'd', measurements: { length: mm / 10, unit: 'cm' } }],
              vehicle: of,
            }),
          );
        expect(at(Math.max(a, b))).toBeGreaterThanOrEqual(at(Math.min(a, b)));
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  });

  it('the order of damages changes nothing but the order of the list', () => {
    fc.assert(
      fc.property(request, fc.integer(), (asked, seed) => {
        const shuffled = [...asked.damages].sort(
          (a, b) =>
            ((a.damage_id.charCodeAt(1) * 31 + seed) % 7) - ((b.damage_id.charCodeAt(1) * 31 + seed) % 7),
        );
        const one = assessed(asked);
        const other = assessed({ ...asked, damages: shuffled });
        expect(other.data.summary).toEqual(one.data.summary);
        const { repair_lines: rows, ...estimate } = one.data.estimate;
        const { repair_lines: otherRows, ...otherEstimate } = other.data.estimate;
        expect(otherEstimate).toEqual(estimate);
        // The rows follow the list, and so do the damages within a row.
        const costs = (list: typeof rows = []) =>
          list.map(({ kind, part, cost }) => `${kind} ${part} ${cost}`).sort();
        expect(costs(otherRows)).toEqual(costs(rows));
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  });

  it('a severity that was given is kept or raised, never lowered', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const { data } = assessed(asked);
        data.assessed_damages.forEach((damage, i) => {
          const given = asked.damages[i]?.severity;
          if (given === undefined) return;
          expect(SEVERITIES.indexOf(damage.severity)).toBeGreaterThanOrEqual(SEVERITIES.indexOf(given));
          expect(damage.severity_score).toBeGreaterThanOrEqual(findFloorScore(given));
        });
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  });
});
