import { expect, test } from 'vitest';
import { DAMAGE_TYPES, SEVERITIES } from '../../../src/domain/damage.ts';
import { CURRENCY_CODES } from '../../../src/domain/money.ts';
import { PART_NAMES } from '../../../src/domain/parts.ts';
import { assessed, TABLES } from '../../helpers/pricing/assessments.ts';

/** Numbers that repeat: mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One vehicle as lines of text: every damage with its recommended repair, then the sums. */
function lines(seed: number): string[] {
  const next = random(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T;
  const region = pick(TABLES.regions.rows.slice(0, 9));
  const currency = next() < 0.7 ? region.currency : pick(CURRENCY_CODES);
  const vehicle = {
    class: pick(['economy', 'standard', 'premium', 'luxury'] as const),
    paint: pick(['solid', 'metallic', 'three_stage'] as const),
  };
  const damages = Array.from({ length: 1 + Math.floor(next() * 5) }, (_, i) => ({
    damage_id: `d${i}`,
    type: pick(DAMAGE_TYPES),
    location: pick(PART_NAMES.slice(0, next() < 0.8 ? 25 : 35)),
    severity: pick(SEVERITIES),
    ...(next() < 0.5 ? { measurements: { length: Math.round(next() * 400) / 10, unit: 'cm' } } : {}),
  }));
  const { data } = assessed({
    damages,
    vehicle,
    assessment_options: { labor_rate_region: region.code, currency },
  });
  const { repair_cost_summary: costs, repair_timeline: time, total_loss: loss } = data.summary;
  return [
    `vehicle ${seed}: ${region.code} ${currency}, ${vehicle.class}, ${vehicle.paint}`,
    ...data.assessed_damages.map((damage) => {
      const option = damage.repair_options.find((one) => one.recommended);
      const size = damage.size_cm === undefined ? '' : ` ${damage.size_cm} cm`;
      return `  ${damage.severity} ${damage.type}${size} on ${damage.location}: ${option?.option}, ${option?.labor.hours} h, parts ${option?.total_cost.parts}, total ${option?.total_cost.total} (${option?.cost_range.min} to ${option?.cost_range.max}), ${option?.timeline?.estimated_days} d, value -${damage.impact_assessment.value_reduction_percentage} %`;
    }),
    ...data.estimate.lines.map(
      ({ operation, part, hours, amount, counted_in }) =>
        `  ${operation} ${part} ${hours.toFixed(1)} h ${amount}${counted_in === 'total' ? '' : ` (${counted_in})`}`,
    ),
    ...costs.adjustments.map((line) => `  ${line.code} ${line.hours} h ${line.estimated}`),
    `  sum ${costs.recommended_repairs_total.estimated}, as one repair ${costs.adjusted_total.estimated}, first bill ${costs.first_bill?.estimated}, all options ${costs.all_repairs_range.min} to ${costs.all_repairs_range.max}, ${time?.estimated_total_days} d, value -${data.summary.total_value_reduction_percentage} %, ${loss.ratio_percentage} % of the value`,
  ];
}

// A change here is a change of prices: read each line that differs before accepting it (vitest run -u).
test('thirty vehicles are priced as they were when each line was read', async () => {
  const text = Array.from({ length: 30 }, (_, seed) => lines(seed + 1).join('\n')).join('\n\n');
  await expect(`${text}\n`).toMatchFileSnapshot('expected/estimates.txt');
});
