import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import { compact } from '../../lib/lists.ts';
import {
  ABSENT,
  formatHours,
  formatMoney,
  formatMoneyRange,
  formatNumber,
  formatWholeMoney,
} from '../figures.ts';
import { english, type Translator } from '../translator.ts';
import { describeDepartment, humanize } from '../words.ts';
import {
  type Block,
  makeHeading,
  makeParagraph,
  makeTitledTable,
  numberColumn,
  type Section,
  tabulate,
  textColumn,
} from './blocks.ts';
import { describeScope } from './price-scope.ts';

/** Lists hours, rate and amount of each department. */
export const listDepartments = ({ data }: AssessmentEnvelope): readonly Block[] =>
  makeTitledTable('Totals by department', data.summary.repair_cost_summary.departments, [
    textColumn('Department', 46, ({ department }) => describeDepartment(department)),
    numberColumn('Hours', 16, ({ hours }) => formatHours(hours)),
    numberColumn('Rate per hour', 18, (one) => formatMoney(one.rate_per_hour, one.currency)),
    numberColumn('Amount', 20, (one) => formatMoney(one.total, one.currency)),
  ]);

/** Lists the adjustments from single repairs to the vehicle total. */
export function writeTotals(assessment: AssessmentEnvelope, t = english): Section {
  const costs = assessment.data.summary.repair_cost_summary;
  const all = costs.all_repairs_range;
  const range = t.figure(formatMoneyRange(all.min, all.max, all.currency));
  return {
    id: 'estimate',
    title: t`Repair estimate`,
    blocks: [
      makeHeading(t`From single repairs to the vehicle`),
      tabulate(
        listSteps(costs, t),
        [
          textColumn(t`Line`, 42, ({ words }) => words),
          numberColumn(t`Hours`, 10, ({ hours = 0 }) => t.figure(formatSignedHours(hours))),
          numberColumn(t`Amount`, 18, ({ amount }) => t.figure(formatWholeMoney(amount, all.currency))),
          numberColumn(t`Range`, 30, (one) => t.figure(one.range ?? ABSENT)),
        ],
        ({ bold = false }) => ({ bold }),
      ),
      makeParagraph(
        compact([
          t`${t`Cheapest to most expensive option over all damages`}: ${range}.`,
          !costs.tax && t`Amounts are without tax.`,
        ]).join(' '),
        'soft',
      ),
      makeParagraph(describeScope(assessment, t)),
    ],
  };
}

/** A step from single repairs to the total of the vehicle. */
interface Step {
  readonly words: string;
  readonly amount: number;
  readonly hours?: number;
  readonly range?: string;
  readonly bold?: boolean;
}

function listSteps(
  costs: AssessmentEnvelope['data']['summary']['repair_cost_summary'],
  t: Translator,
): readonly Step[] {
  const { recommended_repairs_total: single, adjusted_total: seen, tax } = costs;
  const { first_bill: first, first_bill_gross: gross } = costs;
  const span = ({ min, max }: typeof seen) => formatMoneyRange(min, max, seen.currency);
  const change = (amount: number) =>
    `${Math.round(amount) > 0 ? '+' : ''}${formatWholeMoney(amount, seen.currency)}`;
  return compact<Step>([
    { words: t`Recommended repairs, each on its own`, amount: single.estimated, range: span(single) },
    ...costs.adjustments
      .filter(({ hours, estimated, min, max }) => [hours, estimated, min, max].some((one) => one !== 0))
      .map(({ description, hours, estimated: amount, min, max }) => ({
        words: t.stored(description),
        amount,
        hours,
        range: `${change(min)} / ${change(max)}`,
      })),
    { words: t`Lines as seen, net (without tax)`, amount: seen.estimated, range: span(seen), bold: true },
    tax && {
      words: t`${t.word(humanize(tax.name))} on the lines, ${t.figure(formatNumber(tax.rate_percentage, 2))} % on ${t.figure(formatWholeMoney(tax.taxable, seen.currency))}`,
      amount: tax.amount,
    },
    tax && { words: t`Lines as seen, gross (with tax)`, amount: tax.gross_total, bold: true },
    {
      words: t`A shop's first bill, net: these lines and what usually comes with them`,
      amount: first.estimated,
      range: span(first),
      bold: true,
    },
    tax && { words: t`A shop's first bill, gross (with tax)`, amount: gross, bold: true },
  ]);
}

function formatSignedHours(hours: number): string {
  return hours === 0 ? ABSENT : `${hours > 0 ? '+' : '−'}${Math.abs(hours).toFixed(1)}`;
}
