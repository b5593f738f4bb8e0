import { makeFieldError } from '../../lib/errors.ts';
import { sumBy } from '../../lib/lists.ts';
import { findNearest } from '../../lib/names.ts';
import { distribute } from '../../lib/numbers.ts';
import { defined } from '../../lib/objects.ts';
import { FITTING } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import { type EstimateLine, hasGoods, LINE_DEFAULTS, makeSlug, priceLabor, priceLine } from './line.ts';
import { findNextNumber, refreshDerived } from './materials-and-fees.ts';
import { groupLines, isSharedPaint } from './repair-lines.ts';

/** A user's change to one line; `field` is its location in the request, for errors. */
export interface LineEdit {
  readonly field: string;
  /** Line id or number. */
  readonly line: string | number;
  readonly hoursTenths?: number | undefined;
  readonly priceMinor?: number | undefined;
  /** `remove` deletes the line from the total; `accept` adds an expected line to it, as setting its hours or price does. */
  readonly action?: 'remove' | 'accept' | undefined;
  readonly reason?: string | undefined;
}

export interface AddedLine
  extends Pick<EstimateLine, 'operation' | 'part' | 'department' | 'hoursTenths' | 'taxClass' | 'reason'> {
  readonly field: string;
  readonly priceMinor: number;
}

/** An agreed price for a part's repair, covering all its lines and its share of the clear coat. */
interface AgreedPrice {
  readonly field: string;
  readonly part: string;
  readonly priceMinor: number;
  readonly reason?: string | undefined;
}

/** A user's changes to the lines of an estimate. */
export interface LineEdits {
  readonly changed: readonly LineEdit[];
  readonly added: readonly AddedLine[];
  readonly agreed?: readonly AgreedPrice[];
  /** True if edits of parts without repair, and of lines that are absent or not only expected, are skipped. */
  readonly skipMissing?: boolean;
}

/**
 * Applies a user's changes to the lines: hours, price, removal, acceptance, additions. Paint materials and fees are
 * recalculated unless the user set them.
 * @throws VehiError INVALID_REQUEST for a missing line, a second edit of one line, or a change that does not apply to it.
 */
export function editLines(
  lines: readonly EstimateLine[],
  { changed, added, agreed = [], skipMissing = false }: LineEdits,
  ctx: PricingContext,
): readonly EstimateLine[] {
  let edited = lines;
  for (const edit of changed) {
    if (skipMissing && !edited.filter((one) => one.group === 'expected').some(matchesLine(edit.line)))
      continue;
    const line = findLine(edited, edit);
    const first = skipMissing ? edit : changed.find((one) => matchesLine(one.line)(line));
    const next = changeLine(line, edit, first);
    edited = edited.map((one) => (one === line ? next : one));
  }
  for (const one of added) edited = [...edited, makeAddedLine(one, findNextNumber(edited), edited)];
  for (const one of agreed) edited = applyAgreedPrice(edited, one, skipMissing, ctx);
  return refreshDerived(edited, ctx);
}

/** Scales a part's lines to its agreed price and deducts the part's share from the hours of the clear coat over all panels. */
function applyAgreedPrice(
  lines: readonly EstimateLine[],
  agreed: AgreedPrice,
  skipMissing: boolean,
  ctx: PricingContext,
): readonly EstimateLine[] {
  const row = findAgreedRow(groupLines(lines, ctx), agreed, skipMissing, ctx);
  if (row === undefined) return lines;
  const computed = row.lines.map((line) => priceLine(line, ctx));
  const prices = distribute(agreed.priceMinor, computed);
  const sharedMinor = sumBy(lines.filter(isSharedPaint), (line) => priceLine(line, ctx));
  return lines.map((line) => {
    const at = row.lines.indexOf(line);
    if (at !== -1) return scaleLine(markEdited(line, agreed.reason), prices[at] ?? 0, ctx);
    if (row.clearMinor === 0 || !isSharedPaint(line)) return line;
    // Its remaining hours still need paint materials, which a fixed price would include.
    const hoursTenths = Math.round(line.hoursTenths * (1 - row.clearMinor / sharedMinor));
    return { ...markEdited(line, agreed.reason), hoursTenths };
  });
}

/** Finds the row of an agreed part; undefined to skip it. @throws VehiError if it has no row, or no price to scale */
function findAgreedRow(
  groups: ReturnType<typeof groupLines>,
  { part, priceMinor, field }: AgreedPrice,
  skipMissing: boolean,
  ctx: PricingContext,
) {
  const rows = groups.filter(({ kind }) => kind === 'part');
  const row = rows.find((one) => one.part === part);
  const isFree = row?.lines.every((line) => priceLine(line, ctx) === 0) ?? false;
  if (row !== undefined && (priceMinor === 0 || !isFree)) return row;
  if (skipMissing) return undefined;
  const names = rows.map((one) => one.part).join(', ');
  const [problem, hint] =
    row === undefined
      ? [`${part} is not repaired.`, names === '' ? 'No part is repaired.' : `One of ${names}.`]
      : [
          `every line of ${part} is 0, so the price cannot be divided among them.`,
          `Set the ${row.lines.some(isPriced) ? 'price' : 'hours'} of one of its lines.`,
        ];
  throw makeFieldError(field, `${field}: ${problem}`, hint);
}

/** Sets a line's price, divided between labor and goods as before. */
function scaleLine(line: EstimateLine, minor: number, ctx: PricingContext): EstimateLine {
  const [fixedMinor = 0, goodsMinor = 0] = distribute(minor, [priceLabor(line, ctx), line.goodsMinor]);
  return { ...line, isAgreed: true, fixedMinor, goodsMinor };
}

/** Creates a predicate that matches a line by id or number. */
export const matchesLine = (by: LineEdit['line']) => (line: EstimateLine) =>
  line.id === by || line.number === by;

/** Marks a line as changed by a user, with its values before the first change. */
const markEdited = (line: EstimateLine, reason: string | undefined): EstimateLine => ({
  ...line,
  isManual: true,
  computed: line.computed ?? {
    hoursTenths: line.hoursTenths,
    priceMinor: line.fixedMinor ?? (hasGoods(line) ? line.goodsMinor : undefined),
    countedIn: line.countedIn,
  },
  ...defined({ reason }),
});

function findLine(lines: readonly EstimateLine[], { line, field }: LineEdit): EstimateLine {
  const match = lines.find(matchesLine(line));
  if (match !== undefined) return match;
  const ids = lines.map((one) => one.id);
  const suggestion =
    typeof line === 'string'
      ? (ids.find((id) => id.endsWith(`/${line}`)) ?? findNearest(line, ids))
      : undefined;
  throw makeFieldError(
    field,
    `${field} names line ${line}, which the estimate does not have.`,
    suggestion === undefined
      ? `${describeNumbers(lines)}, or an id such as ${lines[0]?.id ?? 'hood/rpr'}.`
      : `Did you mean ${suggestion}?`,
  );
}

/** Describes the range of line numbers for an error hint. */
function describeNumbers(lines: readonly EstimateLine[]): string {
  const [first, ...others] = lines.filter((one) => one.group === 'expected').map((one) => one.number);
  const last = findNextNumber(lines) - 1;
  const range = others.length === 0 ? `one ${first}` : `ones ${first} to ${others.at(-1)}`;
  return `${last === 1 ? 'The line is 1' : `Lines are 1 to ${last}`}${first === undefined ? '' : `, expected ${range}`}`;
}

/** Returns true if a user may set the line's price: a part, material, sublet or fixed-price labor. */
const isPriced = (line: EstimateLine) =>
  hasGoods(line) || line.fixedMinor !== undefined || [...FITTING, 'Subl', 'Add'].includes(line.operation);

/** Returns true if a line is priced by hours: not labor at a fixed price, nor a fee, consumable or sublet without hours. */
const takesHours = ({ fixedMinor, hoursTenths, taxClass }: EstimateLine) =>
  fixedMinor === undefined && (hoursTenths > 0 || taxClass === 'labor' || taxClass === 'parts');

/** Changes a line by an edit; `first` is the first edit of the line, and no other is accepted. */
function changeLine(line: EstimateLine, edit: LineEdit, first = edit): EstimateLine {
  const { hoursTenths, priceMinor, action, field, reason } = edit;
  const fault = (what: string, hint: string) => makeFieldError(field, `${field}: ${line.id} ${what}`, hint);
  if (first !== edit) throw fault(`is edited by ${first.field} as well.`, 'Give one edit for each line.');
  if (action === 'accept' && line.group !== 'expected')
    throw fault('is in the estimate already; only an expected line is accepted.', 'Leave this edit out.');
  if (hoursTenths !== undefined && !takesHours(line))
    throw fault('has a price that does not depend on hours.', 'Set its price.');
  if (priceMinor !== undefined && !isPriced(line))
    throw fault('is priced by hours x rate and has no price of its own.', 'Set its hours, or add a line.');
  return {
    ...markEdited(line, reason),
    ...defined({ hoursTenths }),
    ...(priceMinor !== undefined && setPrice(line, priceMinor)),
    countedIn: action === 'remove' ? 'none' : 'total',
  };
}

/** Returns a line's price fields: that of labor at a fixed price, else that of its goods. */
const setPrice = ({ fixedMinor, taxClass }: EstimateLine, priceMinor: number) =>
  fixedMinor === undefined
    ? { goodsMinor: priceMinor, taxClass: taxClass === 'labor' ? ('parts' as const) : taxClass }
    : { fixedMinor: priceMinor };

function makeAddedLine(
  { field: _, priceMinor, ...added }: AddedLine,
  number: number,
  lines: readonly EstimateLine[],
): EstimateLine {
  const base = `${added.part}/${makeSlug(added.operation)}`;
  const sameIds = lines.filter((line) => line.id === base || line.id.startsWith(`${base}-`)).length;
  return {
    ...LINE_DEFAULTS,
    ...added,
    id: sameIds === 0 ? base : `${base}-${sameIds + 1}`,
    number,
    group: 'added',
    goodsMinor: priceMinor,
    taxClass: priceMinor === 0 ? 'labor' : added.taxClass,
    basis: 'override',
    note: 'added by a person',
    source: 'added by a person',
    isManual: true,
  };
}
