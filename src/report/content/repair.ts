import type { Result } from '../../contract/result.ts';
import { escapeName } from '../../lib/escape-name.ts';
import { formatCount } from '../../lib/format-count.ts';
import { formatWholeMoney, readFileName, shortenMiddle } from '../figures.ts';
import { type DamageRow, formatFindingNumber, listToCheckRows, showsPrices } from '../finding-rows.ts';
import { describeFindings, findCost, listPartLines, type PartLine } from '../repair-lines.ts';
import { describeFindingPart, describeRepairedPlace } from '../words.ts';
import {
  type Cell,
  type Column,
  makeParagraph,
  makeTable,
  type Row,
  type Section,
  type Table,
} from './blocks.ts';

const COLUMNS: readonly Column[] = [
  { title: 'No.', share: 7 },
  { title: 'Part', share: 23 },
  { title: 'Damage', share: 27 },
  { title: 'Repair', share: 17 },
  { title: 'Cost', share: 10, align: 'right' },
  { title: 'Photo', share: 16 },
];

/** Places to check that are listed; the others are counted. */
const MAX_TO_CHECK = 5;

interface TableOptions {
  /** Default: true with an inspection. */
  readonly showsPhotos?: boolean;
  /** Lists every place to check. */
  readonly all?: boolean | undefined;
}

/** Builds the repair table, one row per part with a total; null if nothing needs repair. */
export function writeRepair(
  input: Result,
  { showsPhotos = input.inspection !== null }: TableOptions = {},
): Section | null {
  const lines = nameLines(listPartLines(input));
  if (lines.length === 0) return null;
  const namePhoto = makePhotoNames(input);
  const write = (shown: readonly NamedLine[]): Table => {
    const { costs, total } = roundRows(shown);
    const [{ currency } = { currency: '' }] = shown;
    const rows = shown.map(
      ({ rows, name, words, action, severity }, index): Row => ({
        cells: [
          rows.map(({ number }) => number).join(' '),
          name,
          words,
          action,
          formatWholeMoney(costs[index] ?? 0, currency),
          ...(showsPhotos ? [namePhoto(rows[0])] : []),
        ],
        ...(severity ? { severity } : {}),
      }),
    );
    const cells = ['', '', '', 'total', formatWholeMoney(total, currency), ...(showsPhotos ? [''] : [])];
    return makeTable(showsPhotos ? COLUMNS : COLUMNS.slice(0, -1), [...rows, { bold: true, cells }]);
  };
  const table = { ...write(lines), fold: (parts: number) => write(mergeCheapest(lines, parts)) };
  return { id: 'repair', title: '', blocks: [table] };
}

/**
 * Rounds the rows to whole units: a part as everywhere else, so that it has one price on all pages. The last row of the
 * whole vehicle takes the rounding; without one the total does.
 */
function roundRows(lines: readonly NamedLine[]): {
  readonly costs: readonly number[];
  readonly total: number;
} {
  const rounded = lines.map(({ cost }) => Math.round(cost));
  const sum = (of: readonly number[]) => of.reduce((all, one) => all + one, 0);
  const last = lines.findLastIndex(({ kind }) => kind !== 'part');
  const rest = Math.round(sum(lines.map(({ cost }) => cost))) - sum(rounded);
  const costs = rounded.map((cost, index) => (index === last ? cost + rest : cost));
  return { costs, total: sum(costs) };
}

type NamedLine = PartLine & { readonly name: string };

/** Merges all but the `keptParts` most expensive parts into one row, and their associated operations into another. */
function mergeCheapest(lines: readonly NamedLine[], keptParts: number): readonly NamedLine[] {
  const isPart = ({ kind }: NamedLine) => kind === 'part';
  const byCost = lines.filter(isPart).toSorted((a, b) => b.cost - a.cost);
  const wholeVehicle = mergeExpected(lines.filter((one) => !isPart(one)));
  const [first, ...others] = byCost.slice(keptParts);
  if (!first) return [...lines.filter(isPart), ...wholeVehicle];
  const merged = [first, ...others];
  const kept = new Set(byCost.slice(0, keptParts));
  const cost = merged.reduce((sum, one) => sum + one.cost, 0);
  const name = formatCount(merged.length, 'more part');
  const row: NamedLine = { ...first, rows: [], severity: undefined, name, words: '', action: '', cost };
  return [...lines.filter((one) => kept.has(one)), row, ...wholeVehicle];
}

/** Merges the rows of operations usually expected with the repair into one. */
function mergeExpected(lines: readonly NamedLine[]): readonly NamedLine[] {
  const expected = lines.filter(({ kind }) => EXPECTED_NAMES.has(kind));
  const [first] = expected;
  if (!first) return lines;
  const cost = expected.reduce((sum, one) => sum + one.cost, 0);
  return [
    ...lines.filter(({ kind }) => !EXPECTED_NAMES.has(kind)),
    { ...first, name: 'Access and parts', cost },
  ];
}

/** Names the rows: parts as repaired, the others by their kind. */
const nameLines = (lines: readonly PartLine[]): readonly NamedLine[] =>
  lines.map((one) => {
    const name = WHOLE_NAMES.get(one.kind);
    return name === undefined ? { ...one, name: namePart(one) } : { ...one, name, action: '' };
  });

/** Row names of operations usually expected with a repair. */
const EXPECTED_NAMES: ReadonlyMap<PartLine['kind'], string> = new Map([
  ['access', 'Access and parts'],
  ['calibration', 'Scans, calibration'],
  ['small_parts', 'Small parts, prep'],
]);
const WHOLE_NAMES: ReadonlyMap<PartLine['kind'], string> = new Map([
  ['materials', 'Fees'],
  ['shared', 'Done together'],
  ...EXPECTED_NAMES,
]);

function namePart({ part, rows }: PartLine): string {
  const [first] = rows;
  if (first?.uncertain !== undefined) return describeFindingPart(first);
  return describeRepairedPlace(first?.part ?? part ?? '', rows);
}

/** Formats the question on places to check; the total is not mentioned for several vehicles. */
function askToCheck({ inspection }: Result): string {
  return `damage or reflection?${showsPrices(inspection) ? ' Not in the total.' : ''}`;
}

/** Builds the table of places to check by priority; they have no price of their own. Null if there are none. */
export function writeToCheckTable(
  input: Result,
  { showsPhotos = true, all = false }: TableOptions = {},
): Section | null {
  const rows = sortByPriority(listToCheckRows(input));
  if (rows.length === 0) return null;
  const shown = all ? rows : rows.slice(0, MAX_TO_CHECK);
  const namePhoto = makePhotoNames(input);
  const hidden = rows.length - shown.length;
  const table = shown.map((row) => ({
    cells: [
      formatFindingNumber(row),
      describeFindingPart(row),
      `${describeFindings([row])}, ${describeLikelihood(row)}`,
      ...(showsPhotos ? [namePhoto(row)] : []),
    ],
  }));
  return {
    id: 'to-check',
    title: `To check (${rows.length}): ${askToCheck(input)}`,
    blocks: [
      makeTable(showsPhotos ? CHECK_COLUMNS : CHECK_COLUMNS.slice(0, -1), table),
      ...(hidden > 0 ? [makeParagraph(`${hidden} more, less worth a look.`, 'soft')] : []),
    ],
  };
}

const CHECK_COLUMNS: readonly Column[] = [
  { title: 'No.', share: 7 },
  { title: 'Part', share: 33 },
  { title: 'Damage', share: 40 },
  { title: 'Photo', share: 20 },
];

/** Sorts places to check by confidence × cost, highest first. */
export function sortByPriority(rows: readonly DamageRow[]): readonly DamageRow[] {
  const priority = (row: DamageRow) => (row.found?.confidence ?? 0) * findCost(row);
  return rows.toSorted((a, b) => priority(b) - priority(a));
}

/** Of places to check from this confidence 68 % are damage, below 36 % (178 photos: models/training/README.md). */
const MIN_LIKELY_CONFIDENCE = 0.65;

/** Classifies a place to check as likely or possible damage. */
function describeLikelihood({ found }: DamageRow): string {
  return (found?.confidence ?? 0) >= MIN_LIKELY_CONFIDENCE ? 'likely' : 'possible';
}

/** Formats a finding's cost as in the tables, `$960 for 3 damages` for its part; undefined without a price of its own. */
export function describeTableCost(input: Result, id: string): string | undefined {
  if (!showsPrices(input.inspection)) return undefined;
  const lines = nameLines(listPartLines(input));
  const index = lines.findIndex(({ rows }) => rows.some((row) => row.id === id));
  const line = lines[index];
  if (line === undefined) return undefined;
  const cost = formatWholeMoney(roundRows(lines).costs[index] ?? 0, line.currency);
  return line.rows.length === 1 ? cost : `${cost} for ${line.rows.length} damages`;
}

/** Formats the cost of the repair rows that repair the given findings; undefined without prices or findings. */
export function sumTableCost(input: Result, ids: readonly string[]): string | undefined {
  if (!showsPrices(input.inspection) || ids.length === 0) return undefined;
  const lines = nameLines(listPartLines(input));
  const { costs } = roundRows(lines);
  const repaired = lines.flatMap(({ rows }, at) => (rows.some(({ id }) => ids.includes(id)) ? [at] : []));
  const sum = repaired.reduce((total, at) => total + (costs[at] ?? 0), 0);
  const [first] = repaired;
  return first === undefined ? undefined : formatWholeMoney(sum, lines[first]?.currency ?? '');
}

/** Maximum characters of a photo name in a table. */
const MAX_NAME_LENGTH = 22;

/** Returns a function that names the photo of a damage, with the extension only if another photo has the same stem. */
export function makePhotoNames({ inspection }: Result): (row: DamageRow | undefined) => Cell {
  const names = inspection?.data.images.map(({ url }) => readFileName(url)) ?? [];
  const stem = (name: string) => name.replace(/\.[^.]+$/, '');
  return (row) => {
    const url = row?.found?.image_url;
    if (url === undefined) return '';
    const name = readFileName(url);
    const sameStem = names.filter((other) => stem(other) === stem(name)).length;
    return { photo: escapeName(shortenMiddle(sameStem > 1 ? name : stem(name), MAX_NAME_LENGTH)), url };
  };
}
