import type { Result } from '../../contract/result.ts';
import { compact, sumBy } from '../../lib/lists.ts';
import { escapeName } from '../../lib/names.ts';
import { formatFindingNumber, formatHours, formatWholeMoney, namePhoto, shortenMiddle } from '../figures.ts';
import { type DamageRow, listToCheckRows } from '../finding-rows.ts';
import { showsPrices } from '../grade.ts';
import { describeFindings, findCost, listPartLines, type PartLine } from '../repair-lines.ts';
import { splitVehicles } from '../split-vehicles.ts';
import { english, type Translator } from '../translator.ts';
import { describeFindingPart, describeRepairedPlace, nameOption } from '../words.ts';
import { type Cell, makeParagraph, numberColumn, type Section, tabulate, textColumn } from './blocks.ts';

/** Maximum number of places to check that are listed; the others are counted. */
export const MAX_TO_CHECK = 5;

const NO_LINE = { rows: [], name: '', words: '', hours: 0, severity: undefined } as const;

/** Builds the repair table, one row per part with a total; null if nothing needs repair. */
export function writeRepair(
  input: Result,
  { showsPhotos = input.inspection !== null, showsHours = false } = {},
  t = english,
): Section | null {
  const lines = listNamedLines(input, t);
  const [first] = lines;
  if (first === undefined) return null;
  const nameRowPhoto = makePhotoNames(input);
  const total = { kind: 'total', action: t`total`, cost: sumBy(lines, ({ cost }) => cost) } as const;
  const table = tabulate(
    [...lines, { ...NO_LINE, ...total }],
    [
      textColumn(t`No.`, 7, ({ rows }) => listNumbers(rows)),
      textColumn(t`Part`, 22, ({ name }) => name),
      textColumn(t`Damage`, 26, ({ words }) => words),
      textColumn(t`Repair`, 17, ({ action }) => action),
      showsHours &&
        numberColumn(t`Hours`, 8, ({ kind, hours }) => (kind === 'part' ? formatHours(hours) : '')),
      numberColumn(t`Cost`, 12, ({ cost }) => t.figure(formatWholeMoney(cost, first.currency))),
      showsPhotos && textColumn(t`Photo`, 16, ({ rows }) => nameRowPhoto(rows[0])),
    ],
    ({ kind, severity }) => ({
      ...(kind === 'total' ? { bold: true } : {}),
      ...(severity ? { severity } : {}),
    }),
  );
  return { id: 'repair', title: '', blocks: [table] };
}

/** Maximum number of a part's damages listed by number; the others are counted. */
const MAX_NUMBERS = 4;

/** Lists the numbers of the damages of a part: `5 6 8`, `1 26 51 +3`. */
function listNumbers(rows: readonly DamageRow[]): string {
  const numbers = rows.map(({ number }) => String(number));
  if (numbers.length <= MAX_NUMBERS) return numbers.join(' ');
  return [...numbers.slice(0, MAX_NUMBERS - 1), `+${numbers.length - MAX_NUMBERS + 1}`].join(' ');
}

type NamedLine = PartLine & { readonly name: string };

/** Names of rows that concern the whole vehicle instead of a part. */
const WHOLE_NAMES: Readonly<Partial<Record<PartLine['kind'], string>>> = {
  access: 'Access and parts',
  calibration: 'Scans, calibration',
  small_parts: 'Small parts, prep',
  materials: 'Fees',
  shared: 'Done together',
};

/**
 * Lists the repair rows with their names, in whole units. A part is rounded as everywhere else, so that it has one
 * price on all pages. The last row of the whole vehicle absorbs the rounding; without one, the total does.
 */
function listNamedLines(input: Result, t = english): readonly NamedLine[] {
  const lines = listPartLines(input, t);
  const rest = Math.round(sumBy(lines, ({ cost }) => cost)) - sumBy(lines, ({ cost }) => Math.round(cost));
  const last = lines.findLastIndex(({ kind }) => kind !== 'part');
  return lines.map((line, index) => {
    const name = WHOLE_NAMES[line.kind];
    const cost = Math.round(line.cost) + (index === last ? rest : 0);
    return name === undefined
      ? { ...line, cost, name: namePart(line, t) }
      : { ...line, cost, name: t.word(name), action: '' };
  });
}

function namePart({ part, rows }: PartLine, t: Translator): string {
  const [first] = rows;
  if (first?.uncertain !== undefined) return describeFindingPart(first, t);
  return describeRepairedPlace(first?.part ?? part ?? '', rows, t);
}

/** Builds the table of places to check by priority; they have no price of their own. Null if there are none. */
export function writeToCheckTable(
  input: Result,
  { showsPhotos = true, all = false } = {},
  t = english,
): Section | null {
  const rows = sortByPriority(listToCheckRows(input));
  if (rows.length === 0) return null;
  const shown = all ? rows : rows.slice(0, MAX_TO_CHECK);
  const nameRowPhoto = makePhotoNames(input);
  const hidden = rows.length - shown.length;
  const table = tabulate(shown, [
    textColumn(t`No.`, 7, formatFindingNumber),
    textColumn(t`Part`, 33, (row) => describeFindingPart(row, t)),
    textColumn(t`Damage`, 40, (row) => {
      const isLikely = (row.found?.confidence ?? 0) >= MIN_LIKELY_CONFIDENCE;
      return `${describeFindings([row], t)}, ${isLikely ? t`likely` : t`possible`}`;
    }),
    showsPhotos && textColumn(t`Photo`, 20, nameRowPhoto),
  ]);
  return {
    id: 'to-check',
    title: `${t`To check (${rows.length}): damage or reflection?`} ${t`Not in the total.`}`,
    blocks: compact([table, hidden > 0 && makeParagraph(t`${hidden} more, less worth a look.`, 'soft')]),
  };
}

/** Sorts places to check by confidence × cost, highest first. */
export function sortByPriority(rows: readonly DamageRow[]): readonly DamageRow[] {
  const priority = (row: DamageRow) => (row.found?.confidence ?? 0) * findCost(row);
  return rows.toSorted((a, b) => priority(b) - priority(a));
}

/** Above this confidence, 68 % of places to check are damage; below it, 36 % (178 photos: models/training/README.md). */
const MIN_LIKELY_CONFIDENCE = 0.65;

/** Returns the row that repairs a finding's part, in the job of its vehicle; undefined without prices or for a place to check. */
export function findPricedLine(input: Result, id: string, t = english): PartLine | undefined {
  const jobs = showsPrices(input.inspection) ? [input] : splitVehicles(input);
  return jobs.flatMap((one) => listPartLines(one, t)).find(({ rows }) => rows.some((row) => row.id === id));
}

/** Formats a finding's cost in a list: the price of its part at the part's first finding, elsewhere that one's number. */
export function describeListedCost(input: Result, id: string, t = english): string | undefined {
  const line = findPricedLine(input, id);
  const [first] = line?.rows ?? [];
  if (!line || !first) return undefined;
  return first.id === id ? t.figure(formatWholeMoney(line.cost, line.currency)) : t`with no. ${first.number}`;
}

/** Names an assessed damage's repair, with those of others on its part (a wheel's) if its listed cost includes them. */
export function nameListedRepair(input: Result, row: DamageRow, t = english): string | undefined {
  const rows = findPricedLine(input, row.id)?.rows ?? [];
  const covered = rows[0]?.id === row.id ? rows : [row];
  const options = covered.flatMap(({ assessed }) => assessed?.recommended_repair.option ?? []);
  const names = [...new Set(options)].map((one) => nameOption(one, t));
  return names.length > 1 ? t`${names.join(' + ')}, together` : names[0];
}

/** Formats a finding's cost as in the tables, `$960 for 3 damages` for its part; undefined if the finding has no price. */
export function describeTableCost(input: Result, id: string, t = english): string | undefined {
  const line = findPricedLine(input, id);
  if (line === undefined) return undefined;
  const cost = t.figure(formatWholeMoney(line.cost, line.currency));
  return line.rows.length === 1 ? cost : t`${cost} for ${line.rows.length} damages`;
}

/** Formats the total cost of the rows that repair the given findings; undefined without prices or findings. */
export function sumTableCost(input: Result, ids: readonly string[]): string | undefined {
  if (!showsPrices(input.inspection) || ids.length === 0) return undefined;
  const repaired = listNamedLines(input).filter(({ rows }) => rows.some(({ id }) => ids.includes(id)));
  const total = sumBy(repaired, ({ cost }) => cost);
  return repaired[0] && formatWholeMoney(total, repaired[0].currency);
}

/** Maximum characters of a photo name in a table. */
const MAX_NAME_LENGTH = 22;

/** Returns a function that names the photo of a damage, with the extension only if another photo has the same stem. */
function makePhotoNames({ inspection }: Result): (row: DamageRow | undefined) => Cell {
  const { images = [] } = inspection?.data ?? {};
  const stem = (name: string) => name.replace(/\.[^.]+$/, '');
  const stems = images.map(({ url }) => stem(namePhoto(url, images)));
  return (row) => {
    const url = row?.found?.image_url;
    if (url === undefined) return '';
    const name = namePhoto(url, images);
    const sameStem = stems.filter((other) => other === stem(name)).length;
    return { photo: escapeName(shortenMiddle(sameStem > 1 ? name : stem(name), MAX_NAME_LENGTH)) };
  };
}
