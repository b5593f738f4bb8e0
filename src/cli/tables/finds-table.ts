import type { ChalkInstance } from 'chalk';
import type { Damage } from '../../contract/inspection.ts';
import { fileName, moneyRange, percent, readGradedSizeCm } from '../../report/figures.ts';
import { damageWords, partWords } from '../../report/words.ts';
import { plainTable } from './plain-table.ts';
import { SEVERITY_PAINT } from './severity-paint.ts';

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

/** What a narrow terminal leaves out, in this order; what remains is in the JSON all the same. */
const OPTIONAL: readonly Column[] = ['side', 'size', 'sure'];
const RIGHT: readonly Column[] = ['number', 'size', 'sure', 'cost'];
/** Characters of a photo's or part's name that are always shown. */
const LEAST = { photo: 8, part: 12 } as const;

/**
 * Renders damages, or places to check, as a table in which no row is wider than the terminal and every row names its
 * photo.
 */
export function findsTable(finds: readonly Damage[], chalk: ChalkInstance, columns: number): string {
  const rows = finds.map(cellsOf);
  const left = new Set(OPTIONAL);
  const shownNow = () =>
    (Object.keys(TITLES) as Column[]).filter((c) => !OPTIONAL.includes(c) || left.has(c));
  const widthOf = (column: Column) =>
    Math.max(TITLES[column].length, ...rows.map((row) => row[column].length));
  const total = () => shownNow().reduce((sum, column) => sum + widthOf(column) + 2, -2);
  for (const column of OPTIONAL) if (total() > columns) left.delete(column);
  for (const column of ['photo', 'part'] as const) {
    const over = total() - columns;
    if (over <= 0) break;
    const most = Math.max(LEAST[column], widthOf(column) - over);
    for (const row of rows) row[column] = shortened(row[column], most);
  }
  const shown = shownNow();
  return plainTable(
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
}

function cellsOf(find: Damage): Record<Column, string> {
  const { min, max, currency } = find.estimated_repair;
  const more = find.evidence.length > 1 ? ` +${find.evidence.length - 1}` : '';
  return {
    number: String(find.number),
    part: `${partWords(find.location.part)}${find.detail?.startsWith('part uncertain') ? ' (?)' : ''}`,
    side: find.location.side,
    damage: damageWords(find.type, find.subtype).toLowerCase(),
    severity: find.severity,
    size: extentText(find),
    sure: percent(find.confidence),
    cost: moneyRange(min, max, currency),
    photo: `${fileName(find.image_url)}${more}`,
  };
}

/** Returns the longest extent: measured where --detailed was given, else what the severity rule used, marked `~`. */
function extentText({ measurements, explain }: Damage): string {
  const cm = measurements ? (measurements.diameter ?? measurements.length) : readGradedSizeCm(explain);
  return cm === undefined ? '–' : `${measurements ? '' : '~'}${cm < 10 ? cm.toFixed(1) : Math.round(cm)} cm`;
}

/** Returns the name with its middle left out: names of one series differ at their ends. */
function shortened(name: string, most: number): string {
  const letters = Array.from(name);
  if (letters.length <= most) return name;
  const end = Math.ceil((most - 1) / 2);
  return `${letters.slice(0, most - 1 - end).join('')}…${letters.slice(-end).join('')}`;
}
