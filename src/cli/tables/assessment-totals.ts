import type { ChalkInstance } from 'chalk';
import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { Adjustment } from '../../contract/assessment/summary.ts';
import { describeDays } from '../../report/content/value.ts';
import { formatMoneyRange, formatNumber, formatWholeMoney } from '../../report/figures.ts';
import { describeScope } from '../../report/headline.ts';
import { humanise } from '../../report/words.ts';
import { wrapText } from '../terminal/wrapped.ts';
import { renderPlainTable } from './plain-table.ts';

/** Returns whether an adjustment is in the upper end of the range alone, as what is expected with a repair. */
function isInRange({ code, estimated, max }: Adjustment): boolean {
  return code === 'associated_operations' && estimated === 0 && max > 0;
}

const formatRange = (cost: { min: number; max: number; currency: string }) =>
  formatMoneyRange(cost.min, cost.max, cost.currency);

/** Returns what an adjustment adds to the upper end alone, or its hours. */
function describeMore(line: Adjustment): string {
  if (isInRange(line)) return `up to ${formatWholeMoney(line.max, line.currency)} more`;
  return line.hours === 0 ? '' : `${line.hours > 0 ? '+' : '−'}${Math.abs(line.hours).toFixed(1)} h`;
}

const findWidest = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length));

/** Least characters of a line of the totals next to its figures: the longest that is not broken. */
const LEAST_WORDS = 40;

/** Renders what the single repairs come to, what leads from them to one repair of the vehicle, tax, range and days. */
export function renderTotalsBlock(
  envelope: AssessmentEnvelope,
  { chalk, columns }: { readonly chalk: ChalkInstance; readonly columns: number },
): string {
  const { data } = envelope;
  const { repair_cost_summary: costs, repair_timeline: timeline } = data.summary;
  const { recommended_repairs_total: total, all_repairs_range: all, adjusted_total: adjusted } = costs;
  const shown = costs.adjustments.filter(
    (line) => Math.round(line.estimated) !== 0 || line.hours !== 0 || isInRange(line),
  );
  const amounts = [total, adjusted, ...shown].map((line) => formatWholeMoney(line.estimated, line.currency));
  const ranges = [...[total, adjusted, all].map(formatRange), ...shown.map(describeMore)];
  const taken = findWidest(['estimated', ...amounts]) + findWidest(['not in net totals', ...ranges]) + 4;
  const width = Math.max(LEAST_WORDS, columns - taken);
  const rows = [
    [
      shown.length > 0 || costs.tax === undefined ? 'Recommended repairs' : 'Recommended repairs, net',
      formatWholeMoney(total.estimated, total.currency),
      formatRange(total),
    ],
    ...shown.map((line) => [
      wrapText(line.description, width, 2),
      isInRange(line) ? '' : formatWholeMoney(line.estimated, line.currency),
      describeMore(line),
    ]),
    ...(shown.length > 0
      ? [
          [
            'As one repair, net',
            formatWholeMoney(adjusted.estimated, adjusted.currency),
            formatRange(adjusted),
          ],
        ]
      : []),
    ...(costs.first_bill === undefined
      ? []
      : [
          [
            "A shop's first bill, net",
            formatWholeMoney(costs.first_bill.estimated, adjusted.currency),
            formatRange(costs.first_bill),
          ],
        ]),
    ...(costs.tax === undefined
      ? []
      : [
          [
            `${humanise(costs.tax.name)}, ${formatNumber(costs.tax.rate_percentage, 2)} % on ${costs.tax.base === 'everything' ? 'all of it' : 'parts and materials'}`,
            formatWholeMoney(costs.tax.amount, costs.tax.currency),
            'not in net totals',
          ],
          ['Gross, with tax', formatWholeMoney(costs.tax.gross_total, costs.tax.currency), ''],
        ]),
    ['All options', '', formatRange(all)],
  ];
  const table = renderPlainTable(['Totals', 'estimated', 'range'], rows, {
    chalk,
    right: ['estimated'],
  });
  const days =
    timeline === undefined
      ? ''
      : `\nDays: ${timeline.estimated_total_days}${timeline.can_repair_simultaneously ? ', repairs side by side' : ''}  ${chalk.dim(describeDays(timeline.formula))}`;
  const meaning = `\n${chalk.dim(describeScope(envelope))}`;
  return `${table}${meaning}${days}`;
}
