import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { PanelRepair } from '../../contract/assessment/estimate.ts';
import type { OperationLine } from '../../contract/assessment/option.ts';
import type { Adjustment } from '../../contract/assessment/summary.ts';
import { ABSENT, formatMoney, formatMoneyRange, formatNumber, formatWholeMoney } from '../figures.ts';
import { describeScope } from '../headline.ts';
import type { DamageRow } from '../input.ts';
import { describePart, humanise } from '../words.ts';
import {
  type Block,
  type Column,
  makeHeading,
  makeParagraph,
  makeTable,
  type Row,
  type Section,
} from './blocks.ts';

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

/** Returns totals by department, and the lines that lead from single repairs to the estimate of the vehicle. */
export function writeTotals(assessment: AssessmentEnvelope, withDepartments = true): Section {
  const { data } = assessment;
  const costs = data.summary.repair_cost_summary;
  const departments = costs.departments.map((one) => ({
    cells: [
      one.department === 'materials' ? 'Paint materials' : humanise(one.department),
      one.hours === 0 ? ABSENT : one.hours.toFixed(1),
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
      makeTable(LINE_COLUMNS, estimateLines(costs)),
      makeParagraph(
        `Cheapest to most expensive option over all damages: ${formatMoneyRange(all.min, all.max, all.currency)}.${costs.tax ? '' : ' Amounts are without tax.'}`,
        'soft',
      ),
      makeParagraph(describeScope(assessment)),
    ],
  };
}

function estimateLines(costs: AssessmentEnvelope['data']['summary']['repair_cost_summary']): Row[] {
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
    ...(first === undefined
      ? []
      : [
          total(
            "A shop's first bill, net: these lines and what usually comes with them",
            first.estimated,
            first,
          ),
          ...(tax && gross !== undefined ? [total("A shop's first bill, gross (with tax)", gross)] : []),
        ]),
  ];
}

/** Returns whether an adjustment changes hours or the estimate, not an end alone. */
const isShown = ({ hours, estimated }: Adjustment) => hours !== 0 || estimated !== 0;

function formatSignedHours(hours: number): string {
  return hours === 0 ? ABSENT : `${hours > 0 ? '+' : '−'}${Math.abs(hours).toFixed(1)}`;
}

/** Returns the operation lines of each part, then refinish over all panels and the paint materials. */
export function writeOperations({ data, meta }: AssessmentEnvelope, rows: readonly DamageRow[]): Section {
  const { panels, refinish, paint_materials: paint } = data.estimate;
  const everything = [...panels.flatMap((panel) => panel.operations), ...refinish];
  const makeLinesTable = (lines: readonly OperationLine[]): Block =>
    writeOperationTable(lines, meta.currency, everything);
  return {
    id: 'operations',
    title: 'Operations by part',
    blocks: [
      ...panels.flatMap((panel) => [
        makeHeading(writePanelTitle(panel, rows)),
        makeLinesTable(panel.operations),
      ]),
      ...(refinish.length > 0 ? [makeHeading('Refinish over all panels'), makeLinesTable(refinish)] : []),
      ...(paint.refinish_hours > 0
        ? [
            makeParagraph(
              `Paint materials: ${paint.refinish_hours.toFixed(1)} refinish hours at ${formatMoney(paint.rate_per_hour, paint.currency)} = ${formatMoney(paint.total, paint.currency)}.`,
              'soft',
            ),
          ]
        : []),
      ...(everything.some((line) => line.basis === 'judgement')
        ? [
            makeParagraph(
              '* Judgement time: computed from type, size and severity of the damage, not a published labour time.',
              'soft',
            ),
          ]
        : []),
    ],
  };
}

/** Returns operations as a table whose columns fit those of `alike`, so that several tables have the same ones. */
export function writeOperationTable(
  lines: readonly OperationLine[],
  currency: string,
  alike: readonly OperationLine[] = lines,
): Block {
  const columns = chooseOperationColumns(alike);
  return makeTable(
    columns.map((one) => one.column),
    lines.map((line) => ({
      cells: columns.map((one) => one.cell(line, currency)),
      ...(line.note ? { note: line.note } : {}),
    })),
  );
}

function writePanelTitle(panel: PanelRepair, rows: readonly DamageRow[]): string {
  const numbers = panel.damage_ids.flatMap((id) => rows.find((row) => row.id === id)?.number ?? []);
  const component = panel.component ? `, ${humanise(panel.component).toLowerCase()}` : '';
  return `${describePart(panel.part)}${component}: ${humanise(panel.option)} (damage no. ${numbers.join(', ')})`;
}

interface OperationColumn {
  readonly column: Column;
  readonly cell: (line: OperationLine, currency: string) => string;
}

/**
 * Returns the columns of operations; mechanical and structural hours have one only where an operation has such hours.
 */
function chooseOperationColumns(lines: readonly OperationLine[]): readonly OperationColumn[] {
  const hoursColumn = (title: string, pick: (line: OperationLine) => number): OperationColumn => ({
    column: { title, share: 11, align: 'right' },
    cell: (line) => (pick(line) === 0 ? ABSENT : pick(line).toFixed(1)),
  });
  const mechanical = hoursColumn('Mech. h', (line) => line.mechanical_hours);
  const structural = hoursColumn('Struct. h', (line) => line.structural_hours);
  return [
    {
      column: { title: 'Op.', share: 9 },
      cell: (line) => `${line.operation}${line.basis === 'judgement' ? ' *' : ''}`,
    },
    { column: { title: 'Part', share: 26 }, cell: (line) => describePart(line.part) },
    {
      column: { title: 'Part type', share: 13 },
      cell: (line) => (line.type ? humanise(line.type).replace('Oem', 'OEM') : ABSENT),
    },
    {
      column: { title: 'Price', share: 15, align: 'right' },
      cell: (line, currency) => formatMoney(line.price, currency),
    },
    hoursColumn('Body h', (line) => line.body_hours),
    hoursColumn('Refinish h', (line) => line.refinish_hours),
    ...(lines.some((line) => line.mechanical_hours !== 0) ? [mechanical] : []),
    ...(lines.some((line) => line.structural_hours !== 0) ? [structural] : []),
  ];
}
