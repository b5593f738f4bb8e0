import { expect, it } from 'vitest';
import { withRegions } from '../../../../src/pricing/index.ts';
import { assessed, TABLES } from '../../../helpers/pricing/assessments.ts';

const DENT = { damage_id: 'd', type: 'dent', location: 'hood', severity: 'moderate' };

/** Moderate jobs: 500 to 1,500 USD (published US amounts). */
it.each([
  ['US_MIDWEST', 'USD', 500, 1500, undefined],
  // The money shown does not decide: 0.85 EUR for a dollar.
  ['US_MIDWEST', 'EUR', 425, 1275, undefined],
  ['EU_GERMANY', 'EUR', 437.75, 1313.25, 'x 1.03, '],
  // 157 JPY for a dollar, parts at 0.335 of the US price
  ['ASIA_JAPAN', 'JPY', 26256, 78769, 'x 0.335, '],
])('a supplement in %s, in %s, is at the level of its market', (region, currency, min, max, adapted) => {
  const { data } = assessed({
    damages: [DENT],
    assessment_options: { labor_rate_region: region, currency },
  });
  const { supplement_risk: risk } = data.summary;
  expect(risk.additional_cost.currency).toBe(currency);
  // The exchange rates have more digits than the figures above.
  expect(risk.additional_cost.min / min).toBeCloseTo(1, 2);
  expect(risk.additional_cost.max / max).toBeCloseTo(1, 2);
  if (adapted === undefined) expect(risk).not.toHaveProperty('adapted');
  else expect(risk.adapted).toContain(`US amounts ${adapted}`);
});

it('a market without a level says that US amounts are converted', () => {
  const germany = TABLES.regions.rows.find((row) => row.code === 'EU_GERMANY');
  if (germany === undefined) throw new Error('no row of Germany');
  const { price_level: _, ...row } = germany;
  const tables = withRegions(TABLES, { ...TABLES.regions, rows: [{ ...row, code: 'OWN' }] });
  const { data } = assessed(
    { damages: [DENT], assessment_options: { labor_rate_region: 'OWN', currency: 'EUR' } },
    tables,
  );
  expect(data.summary.supplement_risk.adapted).toBe('US amounts converted, none of this market is known');
  expect(data.summary.supplement_risk.additional_cost.max / 1275).toBeCloseTo(1, 2);
});
