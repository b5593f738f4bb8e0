import { describe, expect, test } from 'vitest';
import type { Result } from '../../../src/contract/result.ts';
import { listClaimFacts, listClaimWarnings } from '../../../src/report/facts.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

/** A report of an inspection made at noon of 1 October, UTC. */
function filedUnder(claim: object): Result {
  const inspection = exampleInspection({ damages: 1 });
  const data = { ...inspection.data, created_at: '2026-10-01T12:00:00.000Z', claim };
  return { inspection: { ...inspection, data }, assessment: null };
}

describe('the day of a loss', () => {
  test.each([
    ['2026-09-30', '2026-09-30, hail'],
    ['2026-10-01', '2026-10-01, hail'],
    // It is the second already, 14 hours east of Greenwich.
    ['2026-10-02', '2026-10-02, hail'],
    ['2026-10-03', '2026-10-03, hail (after the inspection: check the date)'],
    ['2031-01-01', '2031-01-01, hail (after the inspection: check the date)'],
  ])('%s', (day, words) => {
    const input = filedUnder({ loss_date: day, loss_kind: 'hail' });
    expect(listClaimFacts(input)).toContainEqual(['Loss', words]);
    const warned = words.includes('after') ? [`Loss of ${day}: after the inspection: check the date`] : [];
    expect(listClaimWarnings(input)).toEqual(warned);
  });
});
