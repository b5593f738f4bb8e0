import { expect, it } from 'vitest';
import { assessed } from '../../../helpers/pricing/assessments.ts';

/** A repair of 2,847.36 USD with tax, next to three quarters of the value. */
const WELDED = { damage_id: 'd', type: 'dent', location: 'quarter_panel_left', severity_score: 6 };

it.each([
  ['US_NORTHEAST', 3796.48, 'total_loss', 75, '75 % >= 75 %'],
  ['US_NORTHEAST', 3796.49, 'near_threshold', 74.99, '74.99 % < 75 %'],
  ['US_NORTHEAST', 3797.49, 'near_threshold', 74.98, '74.98 % < 75 %'],
  ['US_NORTHEAST', 9000, 'no_total_loss', 31.64, '31.64 % < 75 %'],
  // Less than a cent counts as one.
  ['US_NORTHEAST', 0.001, 'total_loss', 28_473_600, '28473600 % >= 75 %'],
  // Salvage is worth a quarter of the value there.
  ['US_CALIFORNIA', 4223.4, 'total_loss', 100, '(repair with tax 3167.55 USD + salvage 1055.85 USD) /'],
  // A UK engineers' routing note: written off from 80 %, undecided from 66 %.
  ['EU_UK', 2655.55, 'total_loss', 80, '80 % >= 80 %'],
  ['EU_UK', 3218.84, 'near_threshold', 66, '66 % < 80 %'],
  ['EU_UK', 3219.84, 'no_total_loss', 65.98, '65.98 % < 80 %'],
  // German law asks for more than the value.
  ['EU_GERMANY', 0, 'near_threshold', 100, '100 % <= 100 %'],
  ['EU_GERMANY', -0.01, 'total_loss', 100.01, '100.01 % > 100 %'],
])('%s, worth %d: the limit decides by the share of the value', (region, value, verdict, share, words) => {
  const assess = (market_value: number) =>
    assessed({
      damages: [WELDED],
      vehicle: { market_value },
      assessment_options: { labor_rate_region: region },
    }).data.summary;
  // Up to zero, the value is relative to the repair.
  const { total_loss: loss, repair_cost_summary: costs } = assess(
    value > 0 ? value : assess(9000).total_loss.repair_cost + value,
  );
  expect(loss).toMatchObject({ verdict, ratio_percentage: share, repair_cost: costs.first_bill_gross });
  expect(loss.formula).toContain(words);
});
