import { Chalk, type ColorSupportLevel } from 'chalk';
import Table from 'cli-table3';
import stringWidth from 'string-width';
import { wrapText } from './terminal-lines.ts';

/** Spaces between two columns. */
const COLUMN_GAP = 2;

const NO_BORDERS = {
  ...Object.fromEntries(
    ['top', 'bottom', 'left', 'mid', 'right'].flatMap((edge) =>
      ['', '-mid', '-left', '-right'].map((joint) => [`${edge}${joint}`, '']),
    ),
  ),
  middle: ' ',
};

/** Placeholder for a row's note until the table is rendered, a private-use character. */
const NOTE = '\uE001';

/** Minimum width of a shrunken column, if there is room; narrower columns break words. */
const MIN_WIDTH = 8;
const MIN_BROKEN_WIDTH = 6;

/**
 * Shrinks the wrapped columns, widest first, until the table fits; words are broken only as a last resort.
 * @param widths terminal columns of the widest cell of each column
 * @param words terminal columns of the longest word of each wrapped column, 0 for others
 */
function fitWidths(widths: readonly number[], words: readonly number[], columns: number): readonly number[] {
  const fit = [...widths];
  const total = () => fit.reduce((sum, width) => sum + width, 0) + COLUMN_GAP * (fit.length - 1);
  const passes = [
    (word: number) => Math.max(word, MIN_WIDTH),
    (word: number) => word,
    () => MIN_BROKEN_WIDTH,
  ];
  for (const minWidths of passes.map((pass) => words.map(pass)))
    while (total() > columns) {
      const shrinkable = fit.map((width, at) => (words[at] && width > (minWidths[at] ?? 0) ? width : 0));
      const widest = Math.max(...shrinkable);
      if (widest === 0) break;
      fit[shrinkable.indexOf(widest)] = widest - 1;
    }
  return fit;
}

function measureWidth(cell: string): number {
  return Math.max(...cell.split('\n').map(stringWidth));
}

/**
 * Renders a table without borders; columns in `right` are right-aligned. If it is wider than `columns`, the text in
 * columns of `wrap` is wrapped. The note of a row follows below it, indented to its second column. Lines have no
 * trailing spaces.
 */
export function renderPlainTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  options: {
    readonly color: ColorSupportLevel;
    readonly right?: readonly string[];
    readonly columns?: number;
    readonly wrap?: readonly string[];
    readonly notes?: readonly (string | undefined)[];
  },
): string {
  const chalk = new Chalk({ level: options.color });
  const { columns = Number.POSITIVE_INFINITY, wrap = [], notes = [] } = options;
  const texts = head.map((word, index) => [word, ...rows.map((row) => row[index] ?? '')].join('\n'));
  const words = head.map((word, index) =>
    wrap.includes(word) ? measureWidth((texts[index] ?? '').replace(/\s+/g, '\n')) : 0,
  );
  const widths = fitWidths(texts.map(measureWidth), words, columns);
  const table = new Table({
    colWidths: widths.map((width) => width + 1),
    wordWrap: true,
    head: head.map((word) => chalk.bold(word)),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 1 },
    chars: NO_BORDERS,
    colAligns: head.map((word) => (options.right?.includes(word) ? 'right' : 'left')),
  });
  rows.forEach((row, index) => {
    table.push([...row]);
    // cli-table3 would wrap the note again, at a different width.
    if (notes[index] !== undefined) table.push([NOTE, ...row.slice(1).fill('')]);
  });
  const tableWidth = widths.reduce((sum, width) => sum + width + COLUMN_GAP, -COLUMN_GAP);
  const [first = 0] = widths;
  const indent = first > MIN_WIDTH ? 2 * COLUMN_GAP : first + COLUMN_GAP;
  const noteTexts = notes
    .filter((note) => note !== undefined)
    .map((note) => wrapText(note, tableWidth, indent))
    .values();
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .map((line) => (line.trimStart() === NOTE ? (noteTexts.next().value ?? '') : line))
    .join('\n');
}
