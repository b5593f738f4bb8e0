// @module-tag slow: laws over hundreds of claims
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assessed,
  body,
  firstBillOf,
  RUNS,
  recommendedOf,
  request,
} from '../../helpers/pricing/random-claims.ts';

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
});
