import { stripVTControlCharacters } from 'node:util';
import type { ChalkInstance } from 'chalk';
import Table from 'cli-table3';
import { wrapText } from './wrapped.ts';

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

/** Stands for the note of a row until the table is set: a character of private use. */
const NOTE = '\uE001';

/** Narrowest that a column is made to let a table fit. */
const LEAST = 8;

/**
 * Returns the widths of columns, those of the wrapped ones reduced, the widest first, until a table of them fits; words
 * are only broken where it fits by nothing else.
 * @param widths characters of the widest cell of each column
 * @param words characters of the longest word of each wrapped column, 0 elsewhere
 */
function fitWidths(widths: readonly number[], words: readonly number[], columns: number): readonly number[] {
  const fit = [...widths];
  const total = () => fit.reduce((sum, width) => sum + width, 0) + BETWEEN * (fit.length - 1);
  for (const least of [words.map((word) => Math.max(word, LEAST)), words.map(() => LEAST)])
    while (total() > columns) {
      const room = fit.map((width, at) => (words[at] && width > (least[at] ?? 0) ? width : 0));
      const widest = Math.max(...room);
      if (widest === 0) break;
      fit[room.indexOf(widest)] = widest - 1;
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

/** A cell: its text, or a text that is a link on terminals that show links. */
export type PlainCell = string | { readonly content: string; readonly href: string };

/**
 * Renders a table without lines; the columns named in `right` are aligned right. Where it is wider than `columns`, the
 * texts in the columns named in `wrap` are broken into lines. The note of a row stands below it, from its second
 * column on. No blanks at the ends of lines.
 */
export function renderPlainTable(
  head: readonly string[],
  rows: readonly (readonly PlainCell[])[],
  look: {
    readonly chalk: ChalkInstance;
    readonly right?: readonly string[];
    readonly columns?: number;
    readonly wrap?: readonly string[];
    readonly notes?: readonly (string | undefined)[];
  },
): string {
  const { columns = Number.POSITIVE_INFINITY, wrap = [], notes = [] } = look;
  const natural = head.map((word, index) =>
    measureWidth([word, ...rows.map((row) => readText(row[index]))].join('\n')),
  );
  const words = head.map((word, index) =>
    wrap.includes(word)
      ? measureWidth([word, ...rows.map((row) => readText(row[index]))].join(' ').replace(/\s+/g, '\n'))
      : 0,
  );
  const widths = fitWidths(natural, words, columns);
  const table = new Table({
    colWidths: widths.map((width) => width + 1),
    wordWrap: true,
    head: head.map((word) => look.chalk.bold(word)),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 1 },
    chars: NO_BORDERS,
    colAligns: head.map((word) => (look.right?.includes(word) ? 'right' : 'left')),
  });
  rows.forEach((row, index) => {
    table.push([...row]);
    // The table would break the lines of a note again, at a width of its own.
    if (notes[index] !== undefined) table.push([NOTE, ...row.slice(1).fill('')]);
  });
  const whole = widths.reduce((sum, width) => sum + width + BETWEEN, -BETWEEN);
  const [first = 0] = widths;
  const indent = first > LEAST ? 2 * BETWEEN : first + BETWEEN;
  const texts = notes
    .filter((note) => note !== undefined)
    .map((note) => wrapText(note, whole, indent))
    .values();
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .map((line) => (line.trimStart() === NOTE ? (texts.next().value ?? '') : line))
    .join('\n');
}

const readText = (cell: PlainCell | undefined): string =>
  typeof cell === 'object' ? cell.content : (cell ?? '');
