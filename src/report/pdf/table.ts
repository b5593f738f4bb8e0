import type { Severity } from '../../domain/damage.ts';
import { type Cell, type Column, type Row, readCell } from '../content/blocks.ts';
import { COLOR } from '../palette.ts';
import { CHIP_HEIGHT, drawChip } from './chip.ts';
import type { Sheet, StructElement } from './sheet.ts';
import { LINE_HEIGHT, STYLE, type TextStyle } from './theme.ts';

const PAD = { x: 4, y: 3.2 } as const;
/** Padding above and below a cell in small type, in points. */
const SMALL_PAD = 1.3;
/** Maximum lines of a cell; longer text is cut, because a row must fit on a page. */
const MAX_LINES = 12;

interface RowLayout {
  readonly row: Row;
  /** Lines of each cell; none of a chip. */
  readonly cells: readonly (readonly string[])[];
  readonly note: readonly string[];
  readonly height: number;
}

interface TableOptions {
  /** Small type with tight rows. */
  readonly small?: boolean;
  /** Width in points; default: width of the page. */
  readonly width?: number;
}

/** Page layout of a table's columns. */
interface Grid {
  readonly sheet: Sheet;
  /** Width in points. */
  readonly width: number;
  /** Columns with the offsets of cell and text from the left edge of the page and their widths, in points. */
  readonly columns: readonly (Column & Readonly<Record<'x' | 'width' | 'textX' | 'textWidth', number>>)[];
  /** Column titles broken into lines, and the height of the header row in points. */
  readonly head: readonly (readonly string[])[];
  readonly headHeight: number;
  /** Padding above and below the text of a row, in points. */
  readonly pad: number;
}

function layOutColumns(
  sheet: Sheet,
  columns: readonly Column[],
  { small = false, width: tableWidth = sheet.width }: TableOptions,
): Grid {
  const totalShare = columns.reduce((sum, column) => sum + column.share, 0);
  let right = sheet.left;
  const layouts = columns.map((column) => {
    const x = right;
    const width = (column.share / totalShare) * tableWidth;
    right += width;
    // Right-aligned text has no left padding.
    const textX = column.align === 'right' ? x : x + PAD.x;
    return { ...column, x, width, textX, textWidth: right - PAD.x - textX };
  });
  const head = layouts.map(({ title, textWidth }) => sheet.text.lines(title, STYLE.head, textWidth, 2));
  const headLines = Math.max(1, ...head.map((lines) => lines.length));
  const headHeight = headLines * STYLE.head.size * LINE_HEIGHT + PAD.y * 2;
  return { sheet, width: tableWidth, columns: layouts, head, headHeight, pad: small ? SMALL_PAD : PAD.y };
}

/** Draws a table with a header row repeated on every page; rows are never split. */
export function drawTable(
  sheet: Sheet,
  parent: StructElement,
  columns: readonly Column[],
  rows: readonly Row[],
  look: TableOptions = {},
): void {
  const grid = layOutColumns(sheet, columns, look);
  const layouts = rows.map((row) => layOutRow(grid, row));
  // A group heading stays on the page of its first row, and the last row on the page of the row before it.
  const measureKept = (index: number): number => {
    const { row, height } = layouts[index] ?? { height: 0 };
    const isKept = row?.isGroupHeading || index === layouts.length - 2;
    return height + (isKept ? measureKept(index + 1) : 0);
  };
  sheet.group(parent, 'Table', (table) => {
    sheet.need(grid.headHeight + measureKept(0));
    drawHeader(grid, table, true);
    layouts.forEach((one, index) => {
      if (sheet.need(measureKept(index))) drawHeader(grid, table, false);
      drawRow(grid, table, one, index % 2 === 1);
    });
  });
  sheet.y += 8;
}

/** Draws the header row; repetitions are artifacts, so a screen reader reads it once. */
function drawHeader(grid: Grid, table: StructElement, first: boolean): void {
  const { sheet, headHeight: height } = grid;
  const { y } = sheet;
  sheet.decorate(() => {
    sheet.doc.rect(sheet.left, y, grid.width, height).fill(COLOR.band);
    sheet.rule(y + height, 0.8, COLOR.accent, grid.width);
  });
  const cells = grid.columns.map(
    (column, index) => () => putCell(sheet, column, grid.head[index] ?? [], STYLE.head, y + PAD.y),
  );
  if (first)
    sheet.group(table, 'TR', (row) => {
      for (const draw of cells) sheet.mark(row, 'TH', draw, { scope: 'Column' });
    });
  else
    sheet.decorate(() => {
      for (const draw of cells) draw();
    }, 'Pagination');
  sheet.y += height;
}

function chooseStyle(column: Column, row: Row): TextStyle {
  if (column.small) return { ...STYLE.small, color: COLOR.soft };
  return row.bold ? STYLE.cellBold : STYLE.cell;
}

const isChip = (cell: Cell | undefined): cell is Extract<Cell, { readonly severity: Severity }> =>
  typeof cell === 'object' && 'severity' in cell;

function layOutRow({ sheet, width, columns, pad }: Grid, row: Row): RowLayout {
  const cells = columns.map((column, index) => {
    const cell = row.cells[index] ?? '';
    if (isChip(cell)) return { lines: [], height: CHIP_HEIGHT };
    const style = chooseStyle(column, row);
    const lines = sheet.text.lines(readCell(cell), style, column.textWidth, MAX_LINES);
    return { lines, height: sheet.text.measureHeight(lines, style) };
  });
  const noteWidth = width - PAD.x * 2 - (columns[0]?.width ?? 0);
  const note = row.note ? sheet.text.lines(row.note, STYLE.label, noteWidth, 6) : [];
  const noteHeight = note.length > 0 ? sheet.text.measureHeight(note, STYLE.label) + 1 : 0;
  const height = Math.max(...cells.map((one) => one.height)) + pad * 2 + noteHeight;
  return { row, cells: cells.map(({ lines }) => lines), note, height };
}

function drawRow(grid: Grid, table: StructElement, layout: RowLayout, shaded: boolean): void {
  const { sheet, columns, pad } = grid;
  const { row, cells, note, height } = layout;
  const { y } = sheet;
  sheet.decorate(() => {
    if (shaded) sheet.doc.rect(sheet.left, y, grid.width, height).fill(COLOR.stripe);
    sheet.rule(y + height, 0.4, COLOR.rule, grid.width);
  });
  sheet.group(table, 'TR', (element) => {
    columns.forEach((column, index) => {
      sheet.mark(element, 'TD', () => {
        const cell = row.cells[index];
        if (isChip(cell)) {
          const chip = { look: cell.severity, label: cell.label };
          drawChip(sheet, chip, column.textX, y + pad, column.textWidth);
        } else putCell(sheet, column, cells[index] ?? [], chooseStyle(column, row), y + pad);
        if (index !== columns.length - 1 || note.length === 0) return;
        const noteY = y + height - pad - sheet.text.measureHeight(note, STYLE.label);
        sheet.text.put(note, STYLE.label, sheet.left + PAD.x + (columns[0]?.width ?? 0), noteY);
      });
    });
  });
  sheet.y += height;
}

/** Draws the lines of a cell with their top at `y`, in points. */
function putCell(
  { text }: Sheet,
  { textX, textWidth, align = 'left' }: Grid['columns'][number],
  lines: readonly string[],
  style: TextStyle,
  y: number,
): void {
  text.put(lines, style, textX, y, { width: textWidth, to: align });
}
