import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { Adjustment } from '../../contract/assessment/summary.ts';
import { compact } from '../../lib/lists.ts';
import {
  ABSENT,
  formatHours,
  formatMoney,
  formatMoneyRange,
  formatNumber,
  formatWholeMoney,
} from '../figures.ts';
import { english, type Say } from '../say.ts';
import { describeDepartment, humanize } from '../words.ts';
import { makeHeading, makeParagraph, numberColumn, type Section, tabulate, textColumn } from './blocks.ts';
import { describeScope } from './price-scope.ts';

/** Builds the totals by department and the adjustments from single repairs to the vehicle total. */
export function writeTotals(
  assessment: AssessmentEnvelope,
  withDepartments = true,
  say: Say = english,
): Section {
  const { data } = assessment;
  const costs = data.summary.repair_cost_summary;
  const all = costs.all_repairs_range;
  const span = (min: number, max: number) => say.figure(formatMoneyRange(min, max, all.currency));
  const money = (amount: number | null, currency: string) => say.figure(formatMoney(amount, currency));
  return {
    id: 'estimate',
    title: say`Repair estimate`,
    blocks: [
      ...(withDepartments
        ? [
            makeHeading(say`Totals by department`),
            tabulate(costs.departments, [
              textColumn(say`Department`, 46, ({ department }) => describeDepartment(department, say)),
              numberColumn(say`Hours`, 16, ({ hours }) => say.figure(formatHours(hours))),
              numberColumn(say`Rate per hour`, 18, (one) => money(one.rate_per_hour, one.currency)),
              numberColumn(say`Amount`, 20, (one) => money(one.total, one.currency)),
            ]),
          ]
        : []),
      makeHeading(say`From single repairs to the vehicle`),
      tabulate(
        listSteps(costs, say),
        [
          textColumn(say`Line`, 42, ({ words }) => words),
          numberColumn(say`Hours`, 10, ({ hours = 0 }) => say.figure(formatSignedHours(hours))),
          numberColumn(say`Amount`, 18, ({ amount }) => say.figure(formatWholeMoney(amount, all.currency))),
          numberColumn(say`Range`, 30, ({ range }) =>
            range ? span(Math.min(range.min, range.max), Math.max(range.min, range.max)) : ABSENT,
          ),
        ],
        ({ bold = false }) => ({ bold }),
      ),
      makeParagraph(
        compact([
          `${say`Cheapest to most expensive option over all damages`}: ${span(all.min, all.max)}.`,
          !costs.tax && say`Amounts are without tax.`,
        ]).join(' '),
        'soft',
      ),
      makeParagraph(describeScope(assessment, say)),
    ],
  };
}

/** A step from single repairs to the total of the vehicle. */
interface Step {
  readonly words: string;
  readonly amount: number;
  readonly hours?: number;
  readonly range?: { readonly min: number; readonly max: number };
  readonly bold?: boolean;
}

function listSteps(
  costs: AssessmentEnvelope['data']['summary']['repair_cost_summary'],
  say: Say,
): readonly Step[] {
  const { recommended_repairs_total: single, adjusted_total: seen, tax } = costs;
  const { first_bill: first, first_bill_gross: gross } = costs;
  const step = (words: string, amount: number, more: Partial<Step> = {}): Step => ({
    words,
    amount,
    ...more,
  });
  const total = (words: string, amount: number, range?: Step['range']) =>
    step(words, amount, { bold: true, ...(range && { range }) });
  const taxed = tax && say.figure(formatWholeMoney(tax.taxable, seen.currency));
  return compact([
    step(say`Recommended repairs, each on its own`, single.estimated, { range: single }),
    ...costs.adjustments
      .filter(isShown)
      .map((one) => step(say.stored(one.description), one.estimated, { hours: one.hours, range: one })),
    total(say`Lines as seen, net (without tax)`, seen.estimated, seen),
    tax &&
      step(
        say`${say.word(humanize(tax.name))} on the lines, ${say.figure(formatNumber(tax.rate_percentage, 2))} % on ${taxed ?? ''}`,
        tax.amount,
      ),
    tax && total(say`Lines as seen, gross (with tax)`, tax.gross_total),
    total(
      say`A shop's first bill, net: these lines and what usually comes with them`,
      first.estimated,
      first,
    ),
    tax && total(say`A shop's first bill, gross (with tax)`, gross),
  ]);
}

/** Returns true if an adjustment changes hours or the estimate, not only a bound of the range. */
const isShown = ({ hours, estimated }: Adjustment) => hours !== 0 || estimated !== 0;

function formatSignedHours(hours: number): string {
  return hours === 0 ? ABSENT : `${hours > 0 ? '+' : '−'}${Math.abs(hours).toFixed(1)}`;
}
