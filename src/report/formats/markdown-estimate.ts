import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import { formatMoneyRange, formatNumber, formatWholeMoney } from '../figures.ts';
import { describeScope } from '../headline.ts';
import type { DamageRow } from '../input.ts';
import { describeDamage, describePart, humanise } from '../words.ts';
import { escapeMarkdown, writeBullets, writeTable } from './markdown-blocks.ts';

/** Returns the estimate of the vehicle as one repair, a line per damage, and what it adds for the vehicle as a whole. */
export function writeMarkdownEstimate(assessment: AssessmentEnvelope, rows: readonly DamageRow[]): string[] {
  const { data } = assessment;
  const { summary: sum } = data;
  const costs = sum.repair_cost_summary;
  const lines = rows.flatMap(({ number, part, type, subtype, assessed }) => {
    if (!assessed) return [];
    const chosen = assessed.recommended_repair;
    const option = assessed.repair_options.find((one) => one.option === chosen.option);
    return [
      [
        String(number),
        describePart(part),
        describeDamage(type, subtype),
        humanise(chosen.option),
        option ? `${formatNumber(option.labor.hours)} h` : '–',
        formatWholeMoney(chosen.estimated_cost, chosen.currency),
        formatMoneyRange(chosen.min_cost, chosen.max_cost, chosen.currency),
      ],
    ];
  });
  const total = costs.first_bill ?? costs.adjusted_total;
  const value = sum.impact_on_vehicle_value;
  const facts = [
    `estimate ${formatWholeMoney(total.estimated, total.currency)} net (${formatMoneyRange(total.min, total.max, total.currency)})`,
    ...(costs.tax ? [`${formatWholeMoney(costs.tax.gross_total, costs.tax.currency)} gross, with tax`] : []),
    ...(sum.repair_timeline ? [`${sum.repair_timeline.estimated_total_days} working days`] : []),
    describeValue(value),
    ...(sum.total_loss.is_total_loss ? ['**total loss**'] : []),
  ];
  return [
    `**Repair estimate** · ${facts.join(' · ')}`,
    '',
    escapeMarkdown(describeScope(assessment)),
    '',
    ...writeTable(
      ['#', 'Part', 'Damage', 'Recommended', 'Labour', 'Estimate', 'Range'],
      '|---:|---|---|---|---:|---:|---:|',
      lines,
    ),
    ...writeBullets(
      'Adjustments for the vehicle as a whole',
      costs.adjustments
        .filter(({ estimated }) => estimated !== 0)
        .map((one) => `${one.description}: ${formatWholeMoney(one.estimated, one.currency)}`),
    ),
  ];
}

/** Returns what the damage takes off the value of the vehicle, and that the value is a default where it is. */
function describeValue(value: AssessmentEnvelope['data']['summary']['impact_on_vehicle_value']): string {
  const [before, after] = [value.estimated_market_value, value.adjusted_value].map((amount) =>
    formatWholeMoney(amount, value.currency),
  );
  return value.basis === 'request' ? `value ${before} → ${after}` : `value not given (usual here: ${before})`;
}
