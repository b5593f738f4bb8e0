import type { Result } from '../../contract/result.ts';
import { escapeName } from '../../lib/escape-name.ts';
import { formatCount } from '../../lib/format-count.ts';
import { formatWholeMoney, readFileName, roundTogether, shortenMiddle } from '../figures.ts';
import {
  type DamageRow,
  formatFindingNumber,
  listDamageRows,
  listToCheckRows,
  showsPrices,
} from '../finding-rows.ts';
import { computeAddedCost } from '../headline.ts';
import { describeFindings, findAction, findCost, listPartLines, type PartLine } from '../repair-lines.ts';
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
  const lines = mergeWholeVehicle(listPartLines(input));
  if (lines.length === 0) return null;
  const namePhoto = makePhotoNames(input);
  const write = (shown: readonly NamedLine[]): Table => {
    const costs = roundTogether(shown.map(({ cost }) => cost));
    const [{ currency } = { currency: '' }] = shown;
    const total = costs.reduce((sum, cost) => sum + cost, 0);
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

/** Names the whole-vehicle rows, and merges blend and paint materials into one paint row. */
function mergeWholeVehicle(lines: readonly PartLine[]): readonly NamedLine[] {
  const parts = lines.filter(({ kind }) => kind === 'part');
  const blends = lines.filter(({ kind }) => kind === 'blend');
  const paint = [...blends, ...lines.filter(({ kind }) => kind === 'materials')];
  const [first] = paint;
  const colourMatch = `colour match on ${formatCount(blends.length, 'neighbour')}`;
  const words = blends.length === 0 ? '' : colourMatch;
  const action = paint.length > blends.length ? 'materials' : '';
  const cost = paint.reduce((sum, one) => sum + one.cost, 0);
  return [
    ...parts.map((one) => ({ ...one, name: namePart(one) })),
    ...(first ? [{ ...first, name: 'Paint', words, action, cost }] : []),
    ...lines.flatMap((one) => {
      const name = EXPECTED_NAMES.get(one.kind);
      return name === undefined ? [] : [{ ...one, name, action: '' }];
    }),
  ];
}

/** Row names of operations usually expected with a repair. */
const EXPECTED_NAMES: ReadonlyMap<PartLine['kind'], string> = new Map([
  ['access', 'Access and parts'],
  ['calibration', 'Scans, calibration'],
  ['small_parts', 'Small parts, prep'],
  ['expected', 'Access and parts'],
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

/** Builds the table of places to check by priority, with their additional cost as one job; null if none. */
export function writeToCheckTable(
  input: Result,
  { showsPhotos = true, all = false }: TableOptions = {},
): Section | null {
  const rows = sortByPriority(listToCheckRows(input));
  if (rows.length === 0) return null;
  const shown = all ? rows : rows.slice(0, MAX_TO_CHECK);
  const namePhoto = makePhotoNames(input);
  const hidden = rows.length - shown.length;
  const columns = showsPhotos ? COLUMNS : COLUMNS.slice(0, -1);
  return {
    id: 'to-check',
    title: `To check (${rows.length}): ${askToCheck(input)}`,
    blocks: [
      makeTable(columns, [
        ...shown.map((row) => ({
          cells: [
            formatFindingNumber(row),
            describeFindingPart(row),
            `${describeFindings([row])}, ${describeLikelihood(row)}`,
            findAction(row),
            formatWholeMoney(...readCost(row)),
            ...(showsPhotos ? [namePhoto(row)] : []),
          ],
        })),
        ...writeAdded(input, columns.length),
      ]),
      ...(hidden > 0 ? [makeParagraph(`${hidden} more, less worth a look.`, 'soft')] : []),
    ],
  };
}

/** Builds the total of all places to check as one job, which differs from the sum of their separate costs. */
function writeAdded({ inspection }: Result, columns: number): readonly Row[] {
  const results = inspection?.data.results;
  const [addedCost = 0] = results ? roundTogether([computeAddedCost(results)]) : [];
  if (!results || addedCost <= 0) return [];
  const cost = `+${formatWholeMoney(addedCost, results.repair_cost.currency)}`;
  const cells = ['', '', 'as one job', 'would add', cost, ''].slice(0, columns);
  return [{ bold: true, cells }];
}

/** Sorts places to check by confidence × cost, highest first. */
export function sortByPriority(rows: readonly DamageRow[]): readonly DamageRow[] {
  const priority = (row: DamageRow) => (row.found?.confidence ?? 0) * findCost(row);
  return rows.toSorted((a, b) => priority(b) - priority(a));
}

/** Classifies a place to check as likely (confidence of at least 0.5) or possible damage. */
function describeLikelihood({ found }: DamageRow): string {
  return (found?.confidence ?? 0) >= 0.5 ? 'likely' : 'possible';
}

function readCost(row: DamageRow): readonly [amount: number, currency: string] {
  const [cost] = roundTogether([findCost(row)]);
  return [cost ?? 0, row.found?.estimated_repair.currency ?? ''];
}

/** Formats a finding's cost as in the tables, `$960 for 3 damages` for its part; undefined without prices. */
export function describeTableCost(input: Result, id: string): string | undefined {
  if (!showsPrices(input.inspection)) return undefined;
  const isFinding = (row: DamageRow) => row.id === id;
  const lines = mergeWholeVehicle(listPartLines(input));
  const index = lines.findIndex(({ rows }) => rows.some(isFinding));
  const line = lines[index];
  if (line) {
    const cost = formatWholeMoney(roundTogether(lines.map((one) => one.cost))[index] ?? 0, line.currency);
    return line.rows.length === 1 ? cost : `${cost} for ${line.rows.length} damages`;
  }
  const checkRow = [...listToCheckRows(input), ...listDamageRows(input)].find(isFinding);
  return checkRow && formatWholeMoney(...readCost(checkRow));
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
