import { type ExpectedKind, REPAIR_LINE_KINDS, type RepairLineKind } from '../../domain/repair.ts';
import { sumOf } from '../../lib/sum.ts';
import type { PricingContext } from '../pricing-context.ts';
import { type EstimateLine, isAgreed, isCounted, priceLine, priceShare } from './line.ts';

/** One row of a repair as people read it: one per part. Minor units. */
export interface RepairLine {
  readonly kind: RepairLineKind;
  /** Null for what is of the whole vehicle. */
  readonly part: string | null;
  readonly damageIds: readonly string[];
  /** What is done to the part, in words; else the kind. */
  readonly action: string;
  /** Names of what it holds, what is replaced first, then the most expensive. */
  readonly holds: readonly string[];
  readonly costMinor: number;
}

/** Returns the row that a line belongs to; null for what all painted parts share, and for rounding. */
function findRow(line: EstimateLine): Pick<RepairLine, 'kind' | 'part'> | null {
  if (line.operation === 'Blnd') return { kind: 'blend', part: line.part };
  switch (line.group) {
    case 'part':
    case 'added':
      return { kind: 'part', part: line.because ?? line.part };
    case 'materials':
    case 'fee':
      return { kind: 'materials', part: null };
    case 'expected':
      return { kind: findExpectedKind(line), part: null };
    default:
      return null;
  }
}

/** Returns the kind of an expected line: sublet work and what mechanics add is calibration, what others add and small paint work is small parts. */
function findExpectedKind({ operation, department, part }: EstimateLine): ExpectedKind {
  if (operation === 'Subl') return 'calibration';
  if (operation === 'Add') return department === 'mechanical' ? 'calibration' : 'small_parts';
  return operation === 'Refn' && SMALL_PAINT.includes(part) ? 'small_parts' : 'access';
}

/** Paint work that belongs to no part behind. */
const SMALL_PAINT: readonly string[] = ['colour_tint', 'prepare_unprimed_plastic'];

const rankHeld = ({ operation }: EstimateLine) => (operation === 'R&I' ? 0 : 1);

interface Group extends Pick<RepairLine, 'kind' | 'part'> {
  readonly own: EstimateLine[];
  /** Its share of the clear coat over all panels. */
  readonly clearMinor: number;
}

/** Returns whether a line is paint over all panels, which their rows share. */
export const isSharedPaint = (line: EstimateLine) =>
  isCounted(line) && line.group === 'refinish' && findRow(line) === null;

/** Returns the lines that are in the first bill by the row they belong to. */
export function groupLines(lines: readonly EstimateLine[], ctx: PricingContext): Group[] {
  const rows: (Pick<RepairLine, 'kind' | 'part'> & { own: EstimateLine[] })[] = [];
  for (const line of lines.filter((one) => isCounted(one) || priceShare(one, ctx) > 0)) {
    const of = findRow(line);
    if (of === null) continue;
    const row = rows.find(({ kind, part }) => kind === of.kind && part === of.part);
    if (row) row.own.push(line);
    else rows.push({ ...of, own: [line] });
  }
  const shared = lines.filter(isSharedPaint);
  const clear = shareOut(
    sumOf(shared, (line) => priceLine(line, ctx)),
    rows.map(({ own }) => sumPaintTenths(own.filter(isCounted))),
  );
  return rows.map((row, i) => ({ ...row, clearMinor: clear[i] ?? 0 }));
}

/**
 * Returns an estimate as one row per part, then neighbours that are blended, paint materials with fees, and what usually
 * comes with the repair by kind, each line as far as the first bill holds it; the rows add up to the headline exactly.
 * Clear coat over all panels is shared out by the paint hours of each part. Cents of rounding go to the largest row
 * without an agreed price.
 */
export function listRepairLines(
  lines: readonly EstimateLine[],
  headlineMinor: number,
  ctx: PricingContext,
): readonly RepairLine[] {
  const rows = groupLines(lines, ctx);
  const priceIn = (line: EstimateLine) => (isCounted(line) ? priceLine(line, ctx) : priceShare(line, ctx));
  const priced = rows
    .map(
      ({ kind, part, own, clearMinor }): RepairLine => ({
        kind,
        part,
        damageIds: [...new Set(own.flatMap((line) => line.damageIds))],
        action: kind === 'part' ? describeAction(own) : kind,
        holds: [
          ...new Set(
            own
              .toSorted((a, b) => rankHeld(b) - rankHeld(a) || priceIn(b) - priceIn(a))
              .map(({ part: name }) => name),
          ),
        ],
        costMinor: clearMinor + sumOf(own, priceIn),
      }),
    )
    .sort((a, b) => REPAIR_LINE_KINDS.indexOf(a.kind) - REPAIR_LINE_KINDS.indexOf(b.kind));
  const rest = headlineMinor - sumOf(priced, (row) => row.costMinor);
  const agreed = new Set(lines.filter(isAgreed).map(({ because, part }) => because ?? part));
  const open = priced.filter(({ part }) => part === null || !agreed.has(part));
  const largest = (open.length === 0 ? priced : open).reduce<RepairLine | undefined>(
    (most, row) => (most === undefined || row.costMinor > most.costMinor ? row : most),
    undefined,
  );
  return priced.map((row) => (row === largest ? { ...row, costMinor: row.costMinor + rest } : row));
}

/** A price that a person agreed on holds the clear coat as well. */
const sumPaintTenths = (lines: readonly EstimateLine[]) =>
  sumOf(lines, ({ operation, fixedMinor, hoursTenths }) =>
    operation === 'Refn' && fixedMinor === undefined ? hoursTenths : 0,
  );

/** Shares out whole units in proportion to the weights, without a rest; without weights there is no share. */
export function shareOut(amount: number, weights: readonly number[]): readonly number[] {
  const all = sumOf(weights, (one) => one);
  if (all === 0) return weights.map(() => 0);
  const endAfter = (count: number) =>
    Math.round((amount * sumOf(weights.slice(0, count), (one) => one)) / all);
  return weights.map((_, i) => endAfter(i + 1) - endAfter(i));
}

/** Returns what is done to a part, by its operations: `replace`, `replace, paint`, `push out, paint`. */
function describeAction(lines: readonly EstimateLine[]): string {
  const has = (...operations: EstimateLine['operation'][]) =>
    lines.some((line) => operations.includes(line.operation));
  const paint = has('Refn') ? ['paint'] : [];
  const spot = lines.some((line) => line.operation === 'Rpr' && line.department === 'refinish');
  if (has('R&R')) return ['replace', ...paint].join(', ');
  if (has('Sect')) return ['replace a section', ...paint].join(', ');
  const work = [
    ...(has('Setup', 'Pull') ? ['straighten'] : []),
    ...(has('PDR') ? ['push out'] : []),
    ...(lines.some((line) => line.operation === 'Rpr' && line.department !== 'refinish') ? ['repair'] : []),
    ...(spot ? ['spot repair'] : []),
    ...(has('Pol') ? ['polish'] : []),
    ...(has('Tch') ? ['touch up'] : []),
    ...(has('Algn') ? ['align'] : []),
    ...(has('O/H') ? ['overhaul'] : []),
    ...paint,
  ];
  return work.length === 0 ? 'repair' : work.join(', ');
}
