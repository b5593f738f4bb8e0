import { stripVTControlCharacters } from 'node:util';
import type { ChalkInstance } from 'chalk';
import Table from 'cli-table3';

/** Blanks between two columns. */
const BETWEEN = 2;

const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' ',
} as const;

/** Narrowest that a column is made to let a table fit. */
const LEAST = 8;

/**
 * Returns the widths of columns, those of the wrapped ones reduced, the widest first, until a table of them fits.
 * @param widths characters of the widest cell of each column
 */
function fitWidths(
  widths: readonly number[],
  wrapped: readonly boolean[],
  columns: number,
): readonly number[] {
  const fit = [...widths];
  const total = () => fit.reduce((sum, width) => sum + width, 0) + BETWEEN * (fit.length - 1);
  while (total() > columns) {
    const widest = Math.max(...fit.filter((_, index) => wrapped[index]));
    const index = fit.findIndex((width, at) => wrapped[at] && width === widest);
    if (index < 0 || widest <= LEAST) break;
    fit[index] = widest - 1;
  }
  return fit;
}

function measureWidth(cell: string): number {
  return Math.max(
    ...stripVTControlCharacters(cell)
      .split('\n')
      .map((line) => line.length),
  );
}

/**
 * Renders a table without lines; the columns named in `right` are aligned right. Where it is wider than `columns`, the
 * texts in the columns named in `wrap` are broken into lines. No blanks at the ends of lines.
 */
export function renderPlainTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  look: {
    readonly chalk: ChalkInstance;
    readonly right?: readonly string[];
    readonly columns?: number;
    readonly wrap?: readonly string[];
  },
): string {
  const { columns = Number.POSITIVE_INFINITY, wrap = [] } = look;
  const natural = head.map((word, index) =>
    measureWidth([word, ...rows.map((row) => row[index] ?? '')].join('\n')),
  );
  const widths = fitWidths(
    natural,
    head.map((word) => wrap.includes(word)),
    columns,
  );
  const table = new Table({
    colWidths: widths.map((width) => width + 1),
    wordWrap: true,
    head: head.map((word) => look.chalk.bold(word)),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 1 },
    chars: NO_BORDERS,
    colAligns: head.map((word) => (look.right?.includes(word) ? 'right' : 'left')),
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
