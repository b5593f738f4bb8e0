import type { ChalkInstance } from 'chalk';
import Table from 'cli-table3';

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

/** A table without lines; the columns named in `right` are set to the right. No blanks at the ends of lines. */
export function plainTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  look: { readonly chalk: ChalkInstance; readonly right?: readonly string[] },
): string {
  const table = new Table({
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
