import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { Adjustment } from '../../contract/assessment/summary.ts';
import {
  ABSENT,
  formatHours,
  formatMoney,
  formatMoneyRange,
  formatNumber,
  formatWholeMoney,
} from '../figures.ts';
import { describeScope } from '../headline.ts';
import { describeDepartment, humanise } from '../words.ts';
import { type Column, makeHeading, makeParagraph, makeTable, type Row, type Section } from './blocks.ts';

const DEPARTMENT_COLUMNS: readonly Column[] = [
  { title: 'Department', share: 46 },
  { title: 'Hours', share: 16, align: 'right' },
  { title: 'Rate per hour', share: 18, align: 'right' },
  { title: 'Amount', share: 20, align: 'right' },
];

const LINE_COLUMNS: readonly Column[] = [
  { title: 'Line', share: 42 },
  { title: 'Hours', share: 10, align: 'right' },
  { title: 'Amount', share: 18, align: 'right' },
  { title: 'Range', share: 30, align: 'right' },
];

/** Builds the totals by department and the adjustments from single repairs to the vehicle total. */
export function writeTotals(assessment: AssessmentEnvelope, withDepartments = true): Section {
  const { data } = assessment;
  const costs = data.summary.repair_cost_summary;
  const departments = costs.departments.map((one) => ({
    cells: [
      describeDepartment(one.department),
      formatHours(one.hours),
      formatMoney(one.rate_per_hour, one.currency),
      formatMoney(one.total, one.currency),
    ],
  }));
  const all = costs.all_repairs_range;
  return {
    id: 'estimate',
    title: 'Repair estimate',
    blocks: [
      ...(withDepartments
        ? [makeHeading('Totals by department'), makeTable(DEPARTMENT_COLUMNS, departments)]
        : []),
      makeHeading('From single repairs to the vehicle'),
      makeTable(LINE_COLUMNS, makeAdjustmentRows(costs)),
      makeParagraph(
        `Cheapest to most expensive option over all damages: ${formatMoneyRange(all.min, all.max, all.currency)}.${costs.tax ? '' : ' Amounts are without tax.'}`,
        'soft',
      ),
      makeParagraph(describeScope(assessment)),
    ],
  };
}

function makeAdjustmentRows(costs: AssessmentEnvelope['data']['summary']['repair_cost_summary']): Row[] {
  const { recommended_repairs_total: single, adjusted_total: seen, tax } = costs;
  const { first_bill: first, first_bill_gross: gross } = costs;
  const total = (words: string, amount: number, range?: { min: number; max: number }): Row => ({
    bold: true,
    cells: [
      words,
      ABSENT,
      formatWholeMoney(amount, seen.currency),
      range === undefined ? ABSENT : formatMoneyRange(range.min, range.max, seen.currency),
    ],
  });
  return [
    {
      cells: [
        'Recommended repairs, each on its own',
        ABSENT,
        formatWholeMoney(single.estimated, single.currency),
        formatMoneyRange(single.min, single.max, single.currency),
      ],
    },
    ...costs.adjustments.filter(isShown).map((one) => ({
      cells: [
        one.description,
        formatSignedHours(one.hours),
        formatWholeMoney(one.estimated, one.currency),
        formatMoneyRange(Math.min(one.min, one.max), Math.max(one.min, one.max), one.currency),
      ],
    })),
    total('Lines as seen, net (without tax)', seen.estimated, seen),
    ...(tax
      ? [
          {
            cells: [
              `${humanise(tax.name)} on the lines, ${formatNumber(tax.rate_percentage, 2)} % on ${formatWholeMoney(tax.taxable, tax.currency)}`,
              ABSENT,
              formatWholeMoney(tax.amount, tax.currency),
              ABSENT,
            ],
          },
          total('Lines as seen, gross (with tax)', tax.gross_total),
        ]
      : []),
    total("A shop's first bill, net: these lines and what usually comes with them", first.estimated, first),
    ...(tax ? [total("A shop's first bill, gross (with tax)", gross)] : []),
  ];
}

/** Returns true if an adjustment changes hours or the estimate, not only a bound of the range. */
const isShown = ({ hours, estimated }: Adjustment) => hours !== 0 || estimated !== 0;

function formatSignedHours(hours: number): string {
  return hours === 0 ? ABSENT : `${hours > 0 ? '+' : '−'}${Math.abs(hours).toFixed(1)}`;
}
