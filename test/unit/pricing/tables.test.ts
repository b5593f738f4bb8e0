import { expect, it } from 'vitest';
import { findRegion } from '../../../src/pricing/tables/regions.ts';
import { TABLES } from '../../helpers/pricing/assessments.ts';

// Contract, "Supported labor regions".
it.each([
  ['US_CALIFORNIA', 150, 200, 'USD'],
  ['US_TEXAS', 100, 150, 'USD'],
  ['US_NORTHEAST', 125, 175, 'USD'],
  ['US_MIDWEST', 90, 140, 'USD'],
  ['EU_GERMANY', 80, 120, 'EUR'],
  ['EU_UK', 70, 100, 'GBP'],
  ['EU_FRANCE', 70, 100, 'EUR'],
  ['ASIA_JAPAN', 8000, 12000, 'JPY'],
  ['ASIA_CHINA', 400, 800, 'CNY'],
])('%s: %d to %d %s', (code, low, high, currency) => {
  expect(findRegion(TABLES, code)).toMatchObject({ rate_per_hour: [low, high], currency });
});

it('repair never takes more base refinish than a new panel, which has edges to paint as well', () => {
  for (const row of TABLES.parts.rows)
    expect(row.refinish_new_hours).toBeGreaterThanOrEqual(row.refinish_repair_hours);
});
