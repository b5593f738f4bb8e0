import type { OperationLine, PanelRepair } from '../../../contract/assessment.ts';
import { ABSENT, money, moneyRange, plain } from '../../figures.ts';
import type { DamageRow } from '../../input.ts';
import { humanise, partWords } from '../../words.ts';
import type { PdfContext } from '../context.ts';
import type { StructElement } from '../sheet.ts';
import { type Column, drawTable, type Row, tableHeight } from '../table.ts';
import { STYLE } from '../theme.ts';

/** Totals by department with the lines that lead from single repairs to the vehicle, then operation lines per part. */
export function drawEstimate(context: PdfContext): void {
  const { sheet, input } = context;
  if (!input.assessment) return;
  sheet.newPage();
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.heading(section, 'Repair estimate', 1, 140);
    drawTotals(context, section);
  });
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.heading(section, 'Operations by part', 1, 90);
    drawOperations(context, section);
  });
}

function drawTotals({ sheet, input }: PdfContext, section: StructElement): void {
  const costs = input.assessment?.data.summary.repair_cost_summary;
  if (!costs) return;
  sheet.heading(section, 'Totals by department', 2);
  const currency = costs.adjusted_total.currency;
  drawTable(
    sheet,
    section,
    [
      { title: 'Department', share: 46 },
      { title: 'Hours', share: 16, align: 'right' },
      { title: 'Rate per hour', share: 18, align: 'right' },
      { title: 'Amount', share: 20, align: 'right' },
    ],
    costs.departments.map((one) => ({
      cells: [
        one.department === 'materials' ? 'Paint materials' : humanise(one.department),
        one.hours === 0 ? ABSENT : one.hours.toFixed(1),
        money(one.rate_per_hour, one.currency),
        money(one.total, one.currency),
      ],
    })),
  );
  sheet.heading(section, 'From single repairs to the vehicle', 2);
  const single = costs.recommended_repairs_total;
  const total = costs.adjusted_total;
  const tax = costs.tax;
  const rows: Row[] = [
    {
      cells: [
        'Recommended repairs, each on its own',
        ABSENT,
        money(single.estimated, currency),
        moneyRange(single.min, single.max, currency),
      ],
    },
    ...costs.adjustments.map((one) => ({
      cells: [
        one.description,
        signed(one.hours),
        money(one.estimated, one.currency),
        spread(one.min, one.max, one.currency),
      ],
    })),
    {
      bold: true,
      cells: [
        'Estimate for the vehicle',
        ABSENT,
        money(total.estimated, currency),
        moneyRange(total.min, total.max, currency),
      ],
    },
    ...(tax
      ? [
          {
            cells: [
              `Tax ${plain(tax.rate_percentage, 2)} % on ${money(tax.taxable, tax.currency)}`,
              ABSENT,
              money(tax.amount, tax.currency),
              ABSENT,
            ],
          },
        ]
      : []),
  ];
  drawTable(
    sheet,
    section,
    [
      { title: 'Line', share: 42 },
      { title: 'Hours', share: 10, align: 'right' },
      { title: 'Amount', share: 18, align: 'right' },
      { title: 'Range', share: 30, align: 'right' },
    ],
    rows,
  );
  const all = costs.all_repairs_range;
  sheet.paragraph(
    section,
    `Cheapest to dearest option over all damages: ${moneyRange(all.min, all.max, all.currency)}.${tax ? '' : ' Amounts are without tax.'}`,
    STYLE.soft,
  );
}

function signed(hours: number): string {
  return hours === 0 ? ABSENT : `${hours > 0 ? '+' : '−'}${Math.abs(hours).toFixed(1)}`;
}

/** A range that may be negative: the smaller amount first. */
function spread(a: number, b: number, currency: string): string {
  return moneyRange(Math.min(a, b), Math.max(a, b), currency);
}

function drawOperations({ sheet, input, rows }: PdfContext, section: StructElement): void {
  const estimate = input.assessment?.data.estimate;
  const currency = input.assessment?.meta.currency ?? 'USD';
  if (!estimate) return;
  const everything = [...estimate.panels.flatMap((panel) => panel.operations), ...estimate.refinish];
  const columns = operationColumns(everything);
  const judged = everything.some((line) => line.basis === 'judgement');
  const titles = columns.map((one) => one.column);
  for (const panel of estimate.panels) {
    const lines = panel.operations.map((line) => operationRow(line, currency, columns));
    sheet.heading(section, panelTitle(panel, rows), 2, Math.min(260, tableHeight(sheet, titles, lines)));
    drawTable(sheet, section, titles, lines);
  }
  if (estimate.refinish.length > 0) {
    sheet.heading(section, 'Refinish over all panels', 2);
    drawTable(
      sheet,
      section,
      columns.map((one) => one.column),
      estimate.refinish.map((line) => operationRow(line, currency, columns)),
    );
  }
  const paint = estimate.paint_materials;
  if (paint.refinish_hours > 0) {
    sheet.paragraph(
      section,
      `Paint materials: ${paint.refinish_hours.toFixed(1)} refinish hours at ${money(paint.rate_per_hour, paint.currency)} = ${money(paint.total, paint.currency)}.`,
      STYLE.soft,
    );
  }
  if (judged)
    sheet.paragraph(
      section,
      '* Judgement time: worked out from type, size and severity of the damage, not a published labour time.',
      STYLE.soft,
    );
}

function panelTitle(panel: PanelRepair, rows: readonly DamageRow[]): string {
  const numbers = panel.damage_ids.flatMap((id) => rows.find((row) => row.id === id)?.number ?? []);
  const component = panel.component ? `, ${humanise(panel.component).toLowerCase()}` : '';
  return `${partWords(panel.part)}${component}: ${humanise(panel.option)} (damage no. ${numbers.join(', ')})`;
}

interface OperationColumn {
  readonly column: Column;
  readonly cell: (line: OperationLine, currency: string) => string;
}

const hours = (value: number) => (value === 0 ? ABSENT : value.toFixed(1));

/** Mechanical and structural hours have columns only where an operation has such hours. */
function operationColumns(lines: readonly OperationLine[]): readonly OperationColumn[] {
  return [
    {
      column: { title: 'Op.', share: 9 },
      cell: (line) => `${line.operation}${line.basis === 'judgement' ? ' *' : ''}`,
    },
    { column: { title: 'Part', share: 26 }, cell: (line) => partWords(line.part) },
    {
      column: { title: 'Part type', share: 13 },
      cell: (line) => (line.type ? humanise(line.type === 'oem' ? 'OEM' : line.type) : ABSENT),
    },
    {
      column: { title: 'Price', share: 15, align: 'right' },
      cell: (line, currency) => money(line.price, currency),
    },
    { column: { title: 'Body h', share: 10, align: 'right' }, cell: (line) => hours(line.body_hours) },
    {
      column: { title: 'Refinish h', share: 11, align: 'right' },
      cell: (line) => hours(line.refinish_hours),
    },
    ...(lines.some((line) => line.mechanical_hours !== 0)
      ? [
          {
            column: { title: 'Mech. h', share: 10, align: 'right' as const },
            cell: (line: OperationLine) => hours(line.mechanical_hours),
          },
        ]
      : []),
    ...(lines.some((line) => line.structural_hours !== 0)
      ? [
          {
            column: { title: 'Struct. h', share: 10, align: 'right' as const },
            cell: (line: OperationLine) => hours(line.structural_hours),
          },
        ]
      : []),
  ];
}

function operationRow(line: OperationLine, currency: string, columns: readonly OperationColumn[]): Row {
  return { cells: columns.map((one) => one.cell(line, currency)), ...(line.note ? { note: line.note } : {}) };
}
