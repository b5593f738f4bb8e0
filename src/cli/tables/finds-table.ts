import type { ChalkInstance } from 'chalk';
import type { Damage } from '../../contract/inspection.ts';
import { keepBestOfPhoto } from '../../domain/damage.ts';
import { escapeName } from '../../lib/display-name.ts';
import { ABSENT, formatLength, formatMoneyRange, formatPercent, readFileName } from '../../report/figures.ts';
import { describeDamage, describeFindPart } from '../../report/words.ts';
import { wrapText } from '../terminal/wrapped.ts';
import { renderPlainTable } from './plain-table.ts';
import { SEVERITY_PAINT } from './severity-paint.ts';

/** The text of each column of one find. */
type Cells = Record<Column, string>;
type Column = 'number' | 'part' | 'side' | 'damage' | 'severity' | 'size' | 'sure' | 'cost' | 'photo';

const TITLES = {
  number: '#',
  part: 'part',
  side: 'side',
  damage: 'damage',
  severity: 'severity',
  size: 'size',
  sure: 'sure',
  cost: 'repair',
  photo: 'photo',
} as const satisfies Record<Column, string>;

/** What a narrow terminal leaves out, in this order; all of it is in the JSON all the same. */
const OPTIONAL = ['side', 'ending', 'size', 'sure'] as const;
const RIGHT: readonly Column[] = ['number', 'size', 'sure', 'cost'];
/** Characters of a photo's or part's name that are always shown. */
const LEAST = { photo: 8, part: 12 } as const;

/**
 * Renders damages, or places to check, as a table in which no row is wider than the terminal and every row names its
 * photo.
 */
export function renderFindsTable(finds: readonly Damage[], chalk: ChalkInstance, columns: number): string {
  const rows = finds.map(makeCells);
  const hidden = new Set<Column>(rows.every(({ size }) => size === ABSENT) ? ['size'] : []);
  const shownNow = () => (Object.keys(TITLES) as Column[]).filter((column) => !hidden.has(column));
  const measureWidth = (column: Column) =>
    Math.max(TITLES[column].length, ...rows.map((row) => row[column].length));
  const total = () => shownNow().reduce((sum, column) => sum + measureWidth(column) + 2, -2);
  for (const one of OPTIONAL) {
    if (total() <= columns) break;
    if (one === 'ending') leaveOutEnding(rows);
    else hidden.add(one);
  }
  for (const column of ['photo', 'part'] as const) {
    const over = total() - columns;
    if (over <= 0) break;
    const most = Math.max(LEAST[column], measureWidth(column) - over);
    for (const row of rows) row[column] = shortenText(row[column], most);
  }
  const shown = shownNow();
  const table = renderPlainTable(
    shown.map((column) => TITLES[column]),
    rows.map((row, index) =>
      shown.map((column) =>
        column === 'severity'
          ? SEVERITY_PAINT[finds[index]?.severity ?? 'minor'](chalk)(row.severity)
          : row[column],
      ),
    ),
    { chalk, right: RIGHT.map((column) => TITLES[column]) },
  );
  const indent = measureWidth('number') + 2;
  const [head = '', ...lines] = table.split('\n');
  const noted = lines.flatMap((line, index) => {
    const detail = finds[index]?.detail;
    return detail ? [line, chalk.dim(wrapText(detail, columns, indent))] : [line];
  });
  return [head, ...noted].join('\n');
}

/** Leaves the ending out of the names of photos, where it is the same for all of them. */
function leaveOutEnding(rows: readonly Cells[]): void {
  const ending = /^.+(\.\w{1,5})(?: \+\d+)?$/.exec(rows[0]?.photo ?? '')?.[1];
  if (ending === undefined) return;
  const without = rows.map(({ photo }) => {
    const [name = '', more] = photo.split(/ (?=\+\d+$)/);
    return name.endsWith(ending)
      ? [name.slice(0, -ending.length), more].filter(Boolean).join(' ')
      : undefined;
  });
  if (without.includes(undefined)) return;
  for (const [index, row] of rows.entries()) row.photo = without[index] ?? row.photo;
}

function makeCells(find: Damage): Cells {
  const { min, max, currency } = find.estimated_repair;
  const seenIn = keepBestOfPhoto(find.evidence).length;
  const more = seenIn > 1 ? ` +${seenIn - 1}` : '';
  return {
    number: String(find.number),
    part: describeFindPart(find.location),
    side: find.location.side,
    damage: describeDamage(find.type, find.subtype).toLowerCase(),
    severity: find.severity,
    size: formatLength(find) ?? ABSENT,
    sure: formatPercent(find.confidence),
    cost: formatMoneyRange(min, max, currency),
    photo: `${escapeName(readFileName(find.image_url))}${more}`,
  };
}

/**
 * Returns the name with its middle left out: names of one series differ at their ends. A count of further photos after
 * it stays.
 */
function shortenText(text: string, most: number): string {
  const count = / \+\d+$/.exec(text)?.[0] ?? '';
  const letters = Array.from(text.slice(0, text.length - count.length));
  const room = Math.max(3, most - count.length);
  if (letters.length <= room) return text;
  const end = Math.ceil((room - 1) / 2);
  return `${letters.slice(0, room - 1 - end).join('')}…${letters.slice(-end).join('')}${count}`;
}
