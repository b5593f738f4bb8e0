import type { Column, Row } from '../content/blocks.ts';
import { CHIP_HEIGHT, drawChip } from './chip.ts';
import type { Sheet, StructElement } from './sheet.ts';
import { COLOUR, LINE_HEIGHT, STYLE, type TextStyle } from './theme.ts';

const PAD = { x: 4, y: 3.2 } as const;
/** Space above and below a cell in small print, points. */
const SMALL_PAD = 1.3;
/** Rows of a long table that a page break leaves together at least, before and after it. */
const LEAST_TOGETHER = 6;
/** A cell's text is cut after so many lines: a row must fit on a page. */
const MOST_LINES = 12;

interface Laid {
  readonly row: Row;
  readonly cells: readonly (readonly string[])[];
  readonly note: readonly string[];
  readonly height: number;
}

interface TableLook {
  /** Small print: rows lie close. */
  readonly small?: boolean;
  /** Height of what follows and stays on the page of the last row, points. */
  readonly kept?: number;
}

/** Draws a table with a heading row that is repeated on every page it reaches; rows are never split. */
export function drawTable(
  sheet: Sheet,
  parent: StructElement,
  columns: readonly Column[],
  rows: readonly Row[],
  { small = false, kept = 0 }: TableLook = {},
): void {
  const widths = columnWidths(columns, sheet.width);
  const pad = small ? SMALL_PAD : PAD.y;
  const laid = rows.map((row) => layRow(sheet, row, columns, widths, pad));
  sheet.group(parent, 'Table', (table) => {
    const headHeight = headerHeight(sheet, columns, widths);
    sheet.need(headHeight + (laid[0]?.height ?? 0));
    drawHeader(sheet, table, columns, widths, true);
    laid.forEach((one, index) => {
      const below = index > 0 && index === laid.length - 1 ? kept : 0;
      if (sheet.y + one.height + below > sheet.bottom + 0.01 || endsTooShort(sheet, laid, index)) {
        sheet.newPage();
        drawHeader(sheet, table, columns, widths, false);
      }
      drawRow(sheet, table, columns, widths, one, index % 2 === 1, pad);
    });
  });
  sheet.y += 8;
}

/**
 * Returns whether the page must end before this row, or what is left for the next one would be too little: the rest
 * does not fit here, and what lies beyond the natural break is fewer rows than belong together.
 */
function endsTooShort(sheet: Sheet, laid: readonly Laid[], index: number): boolean {
  if (laid.length < 2 * LEAST_TOGETHER || laid.length - index !== LEAST_TOGETHER) return false;
  const rest = laid.slice(index).reduce((sum, { height }) => sum + height, 0);
  return sheet.y + rest > sheet.bottom;
}

function columnWidths(columns: readonly Column[], width: number): number[] {
  const whole = columns.reduce((sum, column) => sum + column.share, 0);
  return columns.map((column) => (column.share / whole) * width);
}

function headLines(sheet: Sheet, columns: readonly Column[], widths: readonly number[]): string[][] {
  return columns.map((column, index) =>
    sheet.text.lines(column.title, STYLE.head, (widths[index] ?? 0) - PAD.x * 2, 2),
  );
}

function headerHeight(sheet: Sheet, columns: readonly Column[], widths: readonly number[]): number {
  const lines = Math.max(1, ...headLines(sheet, columns, widths).map((one) => one.length));
  return lines * STYLE.head.size * LINE_HEIGHT + PAD.y * 2;
}

/** Draws the heading row; a repeated one is decoration, so that a screen reader reads it once. */
function drawHeader(
  sheet: Sheet,
  table: StructElement,
  columns: readonly Column[],
  widths: readonly number[],
  first: boolean,
): void {
  const height = headerHeight(sheet, columns, widths);
  const { y } = sheet;
  sheet.decorate(() => {
    sheet.doc.rect(sheet.left, y, sheet.width, height).fill(COLOUR.band);
    sheet.doc
      .moveTo(sheet.left, y + height)
      .lineTo(sheet.right, y + height)
      .lineWidth(0.8)
      .strokeColor(COLOUR.accent)
      .stroke();
  });
  const lines = headLines(sheet, columns, widths);
  const draw = (index: number) =>
    putCell(
      sheet,
      lines[index] ?? [],
      STYLE.head,
      offset(sheet, widths, index),
      y,
      widths[index] ?? 0,
      columns[index]?.align,
    );
  if (first)
    sheet.group(table, 'TR', (row) =>
      columns.forEach((_, index) => {
        sheet.mark(row, 'TH', () => draw(index), { scope: 'Column' });
      }),
    );
  else
    sheet.decorate(
      () =>
        columns.forEach((_, index) => {
          draw(index);
        }),
      'Pagination',
    );
  sheet.y += height;
}

function styleOf(column: Column | undefined, row: Row): TextStyle {
  if (column?.small) return { ...STYLE.small, colour: COLOUR.soft };
  return row.bold ? STYLE.cellBold : STYLE.cell;
}

/**
 * Returns the height of the whole table on one page, points: what a heading before a short table should keep with it.
 */
export function tableHeight(
  sheet: Sheet,
  columns: readonly Column[],
  rows: readonly Row[],
  { small = false }: TableLook = {},
): number {
  const widths = columnWidths(columns, sheet.width);
  return rows.reduce(
    (sum, row) => sum + layRow(sheet, row, columns, widths, small ? SMALL_PAD : PAD.y).height,
    headerHeight(sheet, columns, widths),
  );
}

function layRow(
  sheet: Sheet,
  row: Row,
  columns: readonly Column[],
  widths: readonly number[],
  pad: number = PAD.y,
): Laid {
  const cells = row.cells.map((cell, index) =>
    typeof cell === 'string'
      ? sheet.text.lines(cell, styleOf(columns[index], row), (widths[index] ?? 0) - PAD.x * 2, MOST_LINES)
      : [],
  );
  const note = row.note
    ? sheet.text.lines(row.note, STYLE.label, sheet.width - PAD.x * 2 - (widths[0] ?? 0), 6)
    : [];
  const heights = cells.map((lines, index) =>
    typeof row.cells[index] === 'string'
      ? sheet.text.heightOf(lines, styleOf(columns[index], row))
      : CHIP_HEIGHT,
  );
  return {
    row,
    cells,
    note,
    height:
      Math.max(...heights) + pad * 2 + (note.length > 0 ? sheet.text.heightOf(note, STYLE.label) + 1 : 0),
  };
}

function drawRow(
  sheet: Sheet,
  table: StructElement,
  columns: readonly Column[],
  widths: readonly number[],
  laid: Laid,
  shaded: boolean,
  pad: number,
): void {
  const { y } = sheet;
  sheet.decorate(() => {
    if (shaded) sheet.doc.rect(sheet.left, y, sheet.width, laid.height).fill('#fafbfc');
    sheet.doc
      .moveTo(sheet.left, y + laid.height)
      .lineTo(sheet.right, y + laid.height)
      .lineWidth(0.4)
      .strokeColor(COLOUR.rule)
      .stroke();
  });
  sheet.group(table, 'TR', (row) => {
    laid.row.cells.forEach((cell, index) => {
      const x = offset(sheet, widths, index);
      const width = widths[index] ?? 0;
      sheet.mark(row, 'TD', () => {
        if (typeof cell === 'string')
          putCell(
            sheet,
            laid.cells[index] ?? [],
            styleOf(columns[index], laid.row),
            x,
            y,
            width,
            columns[index]?.align,
            pad,
          );
        else drawChip(sheet, cell.severity, x + PAD.x, y + pad, width - PAD.x * 2);
        const isLast = index === laid.row.cells.length - 1;
        if (isLast && laid.note.length > 0) {
          sheet.text.put(
            laid.note,
            STYLE.label,
            sheet.left + PAD.x + (widths[0] ?? 0),
            y + laid.height - pad - sheet.text.heightOf(laid.note, STYLE.label),
          );
        }
      });
    });
  });
  sheet.y += laid.height;
}

function offset(sheet: Sheet, widths: readonly number[], index: number): number {
  return sheet.left + widths.slice(0, index).reduce((sum, width) => sum + width, 0);
}

function putCell(
  sheet: Sheet,
  lines: readonly string[],
  style: TextStyle,
  x: number,
  y: number,
  width: number,
  align: 'left' | 'right' = 'left',
  pad: number = PAD.y,
): void {
  sheet.text.put(lines, style, x + PAD.x, y + pad, { width: width - PAD.x * 2, to: align });
}
