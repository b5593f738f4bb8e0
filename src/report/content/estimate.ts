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
import { english, type Say } from '../say.ts';
import { describeDepartment, humanise } from '../words.ts';
import { type Column, makeHeading, makeParagraph, makeTable, type Row, type Section } from './blocks.ts';

const listDepartmentColumns = (say: Say): readonly Column[] => [
  { title: say`Department`, share: 46 },
  { title: say`Hours`, share: 16, align: 'right' },
  { title: say`Rate per hour`, share: 18, align: 'right' },
  { title: say`Amount`, share: 20, align: 'right' },
];

const listLineColumns = (say: Say): readonly Column[] => [
  { title: say`Line`, share: 42 },
  { title: say`Hours`, share: 10, align: 'right' },
  { title: say`Amount`, share: 18, align: 'right' },
  { title: say`Range`, share: 30, align: 'right' },
];

/** Builds the totals by department and the adjustments from single repairs to the vehicle total. */
export function writeTotals(
  assessment: AssessmentEnvelope,
  withDepartments = true,
  say: Say = english,
): Section {
  const { data } = assessment;
  const costs = data.summary.repair_cost_summary;
  const departments = costs.departments.map((one) => ({
    cells: [
      describeDepartment(one.department, say),
      say.figure(formatHours(one.hours)),
      say.figure(formatMoney(one.rate_per_hour, one.currency)),
      say.figure(formatMoney(one.total, one.currency)),
    ],
  }));
  const all = costs.all_repairs_range;
  return {
    id: 'estimate',
    title: say`Repair estimate`,
    blocks: [
      ...(withDepartments
        ? [makeHeading(say`Totals by department`), makeTable(listDepartmentColumns(say), departments)]
        : []),
      makeHeading(say`From single repairs to the vehicle`),
      makeTable(listLineColumns(say), makeAdjustmentRows(costs, say)),
      makeParagraph(
        [
          `${say`Cheapest to most expensive option over all damages`}: ${say.figure(formatMoneyRange(all.min, all.max, all.currency))}.`,
          ...(costs.tax ? [] : [say`Amounts are without tax.`]),
        ].join(' '),
        'soft',
      ),
      makeParagraph(describeScope(assessment, say)),
    ],
  };
}

function makeAdjustmentRows(
  costs: AssessmentEnvelope['data']['summary']['repair_cost_summary'],
  say: Say,
): Row[] {
  const { recommended_repairs_total: single, adjusted_total: seen, tax } = costs;
  const { first_bill: first, first_bill_gross: gross } = costs;
  const whole = (amount: number) => say.figure(formatWholeMoney(amount, seen.currency));
  const span = (min: number, max: number) => say.figure(formatMoneyRange(min, max, seen.currency));
  const total = (words: string, amount: number, range?: { min: number; max: number }): Row => ({
    bold: true,
    cells: [words, ABSENT, whole(amount), range === undefined ? ABSENT : span(range.min, range.max)],
  });
  return [
    {
      cells: [
        say`Recommended repairs, each on its own`,
        ABSENT,
        whole(single.estimated),
        span(single.min, single.max),
      ],
    },
    ...costs.adjustments.filter(isShown).map((one) => ({
      cells: [
        say.stored(one.description),
        say.figure(formatSignedHours(one.hours)),
        whole(one.estimated),
        span(Math.min(one.min, one.max), Math.max(one.min, one.max)),
      ],
    })),
    total(say`Lines as seen, net (without tax)`, seen.estimated, seen),
    ...(tax
      ? [
          {
            cells: [
              say`${say.word(humanise(tax.name))} on the lines, ${say.figure(formatNumber(tax.rate_percentage, 2))} % on ${whole(tax.taxable)}`,
              ABSENT,
              whole(tax.amount),
              ABSENT,
            ],
          },
          total(say`Lines as seen, gross (with tax)`, tax.gross_total),
        ]
      : []),
    total(
      say`A shop's first bill, net: these lines and what usually comes with them`,
      first.estimated,
      first,
    ),
    ...(tax ? [total(say`A shop's first bill, gross (with tax)`, gross)] : []),
  ];
}

/** Returns true if an adjustment changes hours or the estimate, not only a bound of the range. */
const isShown = ({ hours, estimated }: Adjustment) => hours !== 0 || estimated !== 0;

function formatSignedHours(hours: number): string {
  return hours === 0 ? ABSENT : `${hours > 0 ? '+' : '−'}${Math.abs(hours).toFixed(1)}`;
}
