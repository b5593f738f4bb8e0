// @module-tag slow: laws over hundreds of claims
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assessed,
  body,
  currency,
  firstBillOf,
  RUNS,
  recommendedOf,
  regionCode,
  request,
  vehicle,
} from '../../helpers/pricing/random-claims.ts';

/** Light damages of neighbours and of what is fixed to them: there the way of repair turns on what else is painted. */
const light = fc.record(
  {
    type: fc.constantFrom('scratch', 'paint_damage', 'dent', 'rust', 'panel_damage', 'crack'),
    location: fc.constantFrom('hood', 'front_fender_left', 'front_door_left', 'rear_door_left'),
    severity_score: fc.integer({ min: 0, max: 49 }).map((tenths) => tenths / 10),
    subtype: fc.constantFrom('trim_damage', 'mirror_damage', 'rocker_damage', undefined, undefined),
    count: fc.integer({ min: 1, max: 6 }),
    measurements: fc.integer({ min: 1, max: 120 }).map((mm) => ({ length: mm / 10, unit: 'cm' })),
  },
  { requiredKeys: ['type', 'location', 'severity_score'] },
);
const lightRequest = fc.record({
  damages: fc
    .array(light, { minLength: 2, maxLength: 5 })
    .map((all) => all.map((damage, i) => ({ damage_id: `d${i}`, ...damage }))),
  vehicle,
  assessment_options: fc.record({ labor_rate_region: regionCode, currency }),
});

function neverLowers(asked: { damages: readonly object[]; [field: string]: unknown }, more: object): void {
  const before = assessed({ ...asked });
  const after = assessed({ ...asked, damages: [...asked.damages, { ...more, damage_id: 'more' }] });
  expect(recommendedOf(after)).toBeGreaterThanOrEqual(recommendedOf(before));
  expect(firstBillOf(after)).toBeGreaterThanOrEqual(firstBillOf(before));
  expect(after.data.summary.overall_severity_score).toBeGreaterThanOrEqual(
    before.data.summary.overall_severity_score,
  );
  expect(after.data.summary.total_value_reduction_percentage).toBeGreaterThanOrEqual(
    before.data.summary.total_value_reduction_percentage,
  );
}

describe('laws of a further damage', { timeout: 120_000 }, () => {
  it('a further damage never lowers a total, nor the overall score', () => {
    fc.assert(fc.property(request, body, neverLowers), { numRuns: Math.ceil(RUNS / 3) });
  });

  it('nor does a further light one on a part, whatever is painted next to it', () => {
    const further = fc.property(lightRequest, light, fc.nat(4), (asked, more, at) => {
      const { location, subtype } = asked.damages[at % asked.damages.length] ?? more;
      neverLowers(asked, { ...more, location, subtype });
    });
    fc.assert(further, { numRuns: Math.ceil(RUNS / 3) });
  });

  it('nor one that has a part next to a painted panel replaced, not touched up', () => {
    // Painted or replaced together with the hood, the moulding costs less than its touch-up (fast-check 1315675453).
    const scratch = (damage_id: string, location: string, more: object) => ({
      damage_id,
      type: 'scratch',
      location,
      ...more,
    });
    const damages = [
      scratch('d0', 'front_fender_left', { subtype: 'trim_damage', severity_score: 1.5, count: 2 }),
      scratch('d1', 'hood', { severity: 'moderate' }),
    ];
    const further = scratch('more', 'front_fender_left', { subtype: 'trim_damage', severity_score: 0 });
    const vehicle = { paint: 'three_stage' };
    neverLowers(
      { damages, vehicle, assessment_options: { labor_rate_region: 'US_CALIFORNIA', currency: 'USD' } },
      further,
    );
  });
});
