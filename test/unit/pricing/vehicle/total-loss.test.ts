import { expect, it } from 'vitest';
import { assessed } from '../../../helpers/pricing/assessments.ts';

/** A repair of 2,847.36 USD with tax, next to three quarters of the value. */
const WELDED = { damage_id: 'd', type: 'dent', location: 'quarter_panel_left', severity_score: 6 };

it.each([
  [3796.48, 'total_loss', 75, '75 % >= 75 %'],
  [3796.49, 'near_threshold', 74.99, '74.99 % < 75 %'],
  [3797.49, 'near_threshold', 74.98, '74.98 % < 75 %'],
  [9000, 'no_total_loss', 31.64, '31.64 % < 75 %'],
])(
  'worth %d: the share of the value is on the side of the threshold that decides',
  (value, verdict, share, words) => {
    const { data } = assessed({
      damages: [WELDED],
      vehicle: { market_value: value },
      assessment_options: { labor_rate_region: 'US_NORTHEAST' },
    });
    const { total_loss: loss } = data.summary;
    expect(loss).toMatchObject({ verdict, repair_cost: 2847.36, ratio_percentage: share });
    expect(loss.formula).toContain(words);
  },
);
