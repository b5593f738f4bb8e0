import { stripVTControlCharacters } from 'node:util';
import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk';
import stringWidth from 'string-width';
import type { Severity } from '../../domain/damage.ts';
import { compact } from '../../lib/lists.ts';
import { type Block, type Cell, type Figure, readCell, type Section, type Table } from '../content/blocks.ts';
import { shortenMiddle } from '../figures.ts';
import { renderPlainTable } from './plain-table.ts';
import { foldLines, NBSP_PLACEHOLDER, wrapText } from './terminal-lines.ts';

export interface TerminalOptions {
  readonly color: ColorSupportLevel;
  readonly columns: number;
}

/** Severity colors; the adjacent label conveys the severity without color. */
const SEVERITY_PAINT = {
  minor: (chalk: ChalkInstance) => chalk.cyan,
  moderate: (chalk: ChalkInstance) => chalk.yellow,
  severe: (chalk: ChalkInstance) => chalk.red,
  critical: (chalk: ChalkInstance) => chalk.bgRed.white.bold,
} as const satisfies Record<Severity, (chalk: ChalkInstance) => ChalkInstance>;

const FIGURE_PAINT = { good: 'green', open: 'yellow', bad: 'red' } as const;

/** Minimum terminal width in columns for photo names within the row; below, they move to the next line. */
const MIN_COLUMNS_FOR_PHOTOS = 80;

/** Maximum characters of a numeric cell; longer cells of a right-aligned column are text and may wrap. */
const MAX_NUMBER_LENGTH = 20;

/** Renders sections as terminal text no wider than the terminal, separated by blank lines. */
export function renderTerminal(sections: readonly Section[], options: TerminalOptions): string {
  const chalk = new Chalk({ level: options.color });
  const texts = sections.map(({ title, blocks }) =>
    [
      ...(title === '' ? [] : [wrapText(chalk.bold(title), options.columns)]),
      ...blocks.map((block, index) => renderBlock(block, chalk, options, index > 0 || title !== '')),
    ].join('\n'),
  );
  const lines = texts.join('\n\n').split('\n');
  return `${lines.map((line) => shortenLongWord(line, options.columns)).join('\n')}\n`;
}

/** Shortens the middle of the longest word of an overlong line: a file name, which wrapping cannot break. */
function shortenLongWord(line: string, columns: number): string {
  const excess = stringWidth(line) - columns;
  if (excess <= 0) return line;
  const [longest = ''] = line.split(' ').sort((a, b) => stringWidth(b) - stringWidth(a));
  const room = stringWidth(longest) - excess;
  let short = longest;
  // A character may be two columns wide.
  for (let length = Array.from(longest).length - 1; length > 1 && stringWidth(short) > room; length--)
    short = shortenMiddle(longest, length);
  return line.replace(longest, () => short);
}

/** @param follows true if content precedes the block in the same section */
function renderBlock(block: Block, chalk: ChalkInstance, options: TerminalOptions, follows: boolean): string {
  if (block.kind === 'heading')
    return `${follows ? '\n' : ''}${wrapText(chalk.bold(block.text), options.columns)}`;
  if (block.kind === 'figures') return renderFigures(block.figures, chalk, options.columns);
  if (block.kind === 'table') return renderTable(block, chalk, options);
  if (block.kind !== 'paragraph') return '';
  const { text, tone } = block;
  const lines = wrapText(text, options.columns, tone === 'item' ? 2 : 0, tone === 'item' ? 4 : 0);
  if (tone === 'bold') return chalk.bold(lines);
  if (tone === 'warning') return chalk.yellow(lines);
  return tone === 'soft' ? chalk.dim(lines) : lines;
}

function renderTable({ columns, rows }: Table, chalk: ChalkInstance, options: TerminalOptions): string {
  const isNarrow = options.columns < MIN_COLUMNS_FOR_PHOTOS;
  const isPhotos = (index: number) => rows.some(({ cells }) => isPhoto(cells[index]));
  const shown = columns
    .map((column, index) => ({ column, index }))
    .filter(({ index }) => !(isNarrow && isPhotos(index)));
  const lines = rows.map(({ cells, bold, note, severity }) => ({
    cells: shown.map(({ index }, at) => {
      const cell = cells[index] ?? '';
      const text = readCell(cell).replace(BEFORE_UNIT, NBSP_PLACEHOLDER);
      const painted =
        typeof cell !== 'string' && 'severity' in cell ? SEVERITY_PAINT[cell.severity](chalk)(text) : text;
      const inRow = severity && at === 0 ? SEVERITY_PAINT[severity](chalk)(painted) : painted;
      return bold && text !== '' ? chalk.bold(inRow) : inRow;
    }),
    note: compact([...(isNarrow ? cells.filter(isPhoto).map(({ photo }) => photo) : []), note]).join(' '),
  }));
  const isWrapped = (index: number) =>
    !isPhotos(index) &&
    (columns[index]?.align !== 'right' || rows.some(({ cells }) => isText(readCell(cells[index] ?? ''))));
  return renderPlainTable(
    shown.map(({ column }) => column.title),
    lines.map(({ cells }) => cells),
    {
      ...options,
      right: shown.flatMap(({ column }) => (column.align === 'right' ? [column.title] : [])),
      wrap: shown.flatMap(({ column, index }) => (isWrapped(index) ? [column.title] : [])),
      notes: lines.map(({ note }) => (note === '' ? undefined : chalk.dim(note))),
    },
  ).replaceAll(NBSP_PLACEHOLDER, ' ');
}

/** Returns true if a cell of a right-aligned column may wrap: a long text, or a list of photos. */
const isText = (cell: string) => cell.length > MAX_NUMBER_LENGTH || cell.includes(', ');

/** Space between a number and its unit, at which lines must not break. */
const BEFORE_UNIT = /(?<=\d) (?=cm\b|h\b|%)/g;

const isPhoto = (cell: Cell | undefined): cell is Extract<Cell, { photo: string }> =>
  cell !== undefined && typeof cell !== 'string' && 'photo' in cell;

/** Renders the figures one per line with aligned values and notes; a note that does not fit wraps. */
function renderFigures(figures: readonly Figure[], chalk: ChalkInstance, columns: number): string {
  const label = Math.max(...figures.map((one) => one.label.length)) + 2;
  const value = Math.max(...figures.map((one) => one.value.length)) + 2;
  return figures
    .map((one) => {
      const paint = one.tone ? chalk[FIGURE_PAINT[one.tone]].bold : chalk.bold;
      const head = `${chalk.bold(one.label.toUpperCase().padEnd(label))}${paint(one.value)}`;
      const line = `${head}${' '.repeat(value - one.value.length)}${one.note}`.trimEnd();
      if (stripVTControlCharacters(line).length <= columns) return line;
      return `${foldLines(head, columns)}\n${wrapText(one.note, columns, label)}`;
    })
    .join('\n');
}
