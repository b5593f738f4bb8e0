import { roundHalfAway } from '../../domain/money.ts';
import { type ExpectedKind, REPAIR_LINE_KINDS, type RepairLineKind } from '../../domain/repair.ts';
import { compact, sumBy } from '../../lib/lists.ts';
import { distribute } from '../../lib/numbers.ts';
import type { PanelRepair } from '../option/panel-repair.ts';
import { pricePlan } from '../option/price.ts';
import type { PricingContext, Spread } from '../pricing-context.ts';
import {
  countMaterialTenths,
  type EstimateLine,
  isCounted,
  makePaintId,
  priceExpectedShare,
  priceLine,
} from './line.ts';

/** A row of the customer's repair summary, one per part; in minor units. */
export interface RepairLine {
  readonly kind: RepairLineKind;
  /** Null for rows of the whole vehicle. */
  readonly part: string | null;
  readonly damageIds: readonly string[];
  /** The repair in words; the kind for rows without a part. */
  readonly action: string;
  /** Names of the parts included by price, descending; those only removed and installed come last. */
  readonly partNames: readonly string[];
  /** Labor hours of the row's repair on its own. */
  readonly hoursTenths: number;
  readonly costMinor: number;
}

/** Returns the row to which a line belongs; null for paint shared by all painted parts, and for rounding. */
function findRow(line: EstimateLine): Pick<RepairLine, 'kind' | 'part'> | null {
  if (line.operation === 'Blnd') return { kind: 'shared', part: line.part };
  switch (line.group) {
    case 'part':
    case 'added':
      return { kind: 'part', part: line.requiredBy ?? line.part };
    // An option's price includes the paint materials and blends that it needs.
    case 'materials':
      return { kind: 'shared', part: null };
    case 'fee':
      return { kind: 'materials', part: null };
    case 'expected':
      return { kind: findExpectedKind(line), part: null };
    default:
      return null;
  }
}

/** Classifies an expected line: calibration (sublets, mechanical additions), small parts (and paint) or access. */
function findExpectedKind({ operation, department, part }: EstimateLine): ExpectedKind {
  if (operation === 'Subl') return 'calibration';
  if (operation === 'Add') return department === 'mechanical' ? 'calibration' : 'small_parts';
  return operation === 'Refn' && SMALL_PAINT.includes(part) ? 'small_parts' : 'access';
}

/** Paint operations that do not give access to a part. */
const SMALL_PAINT: readonly string[] = ['color_tint', 'prepare_unprimed_plastic'];

interface Group extends Pick<RepairLine, 'kind' | 'part'> {
  readonly lines: EstimateLine[];
  /** The row's share of the clear coat over all panels. */
  readonly clearMinor: number;
}

/** Returns true for paint over all panels, which is divided among the rows. */
export const isSharedPaint = (line: EstimateLine) =>
  isCounted(line) && line.group === 'refinish' && findRow(line) === null;

/** Groups the lines in the first bill by row. */
export function groupLines(lines: readonly EstimateLine[], ctx: PricingContext): Group[] {
  const rows: (Pick<RepairLine, 'kind' | 'part'> & { lines: EstimateLine[] })[] = [];
  for (const line of lines.filter((one) => isCounted(one) || priceExpectedShare(one, ctx) > 0)) {
    const key = findRow(line);
    if (key === null) continue;
    const row = rows.find(({ kind, part }) => kind === key.kind && part === key.part);
    if (row) row.lines.push(line);
    else rows.push({ ...key, lines: [line] });
  }
  const shared = lines.filter(isSharedPaint);
  const clear = distribute(
    sumBy(shared, (line) => priceLine(line, ctx)),
    rows.map((row) => sumBy(row.lines.filter(isCounted), countClearedTenths)),
  );
  return rows.map((row, i) => ({ ...row, clearMinor: clear[i] ?? 0 }));
}

interface RowedEstimate {
  readonly lines: readonly EstimateLine[];
  readonly panels: readonly Pick<PanelRepair, 'target' | 'option'>[];
  readonly firstBill: Spread;
}

/**
 * Converts an estimate to one row per part at the price of its chosen option, then fees, shared work of the job
 * (negative, unless a user raised it), and expected operations by kind, each at its amount in the first bill. Edits
 * change a part's row by the difference of its lines, or its chosen option to the one without paint; an agreed price is
 * the row's cost. The rows add up to the headline exactly.
 */
export function listRepairLines(
  { lines, panels, firstBill }: RowedEstimate,
  ctx: PricingContext,
): readonly RepairLine[] {
  const materials = priceMaterialsByTenth(lines, ctx);
  const removed = new Set(lines.filter(isRemovedPaint).map(({ id }) => id));
  const agreed = new Set(lines.flatMap((line) => (line.isAgreed ? [findRow(line)?.part] : [])));
  const priced = groupLines(lines, ctx)
    .filter(({ kind }) => kind !== 'shared')
    .map(({ kind, part, lines: rowLines }): RepairLine => {
      const ofPart = panels.filter(({ target }) => target.part === part);
      const options = ofPart.map(({ target, option }) =>
        removed.has(makePaintId(target)) ? pricePlan({ ...option.plan, ...UNPAINTED }, ctx) : option,
      );
      const own = lines.filter((line) => {
        const row = findRow(line);
        return row?.kind === kind && row.part === part && !removed.has(line.id);
      });
      const after = sumLines(own, materials, ctx);
      const before = sumLines(part === null ? [] : own.flatMap(restoreLine), materials, ctx);
      const chosenMinor = sumBy(options, ({ total }) => total.est);
      // A part whose lines cost nothing keeps no cent of rounding, and nothing that the job already shares.
      const isFree = part !== null && after.minor === 0;
      const hoursTenths = sumBy(options, (option) => option.hoursTenths) + after.tenths - before.tenths;
      return {
        kind,
        part,
        damageIds: [...new Set(rowLines.flatMap((line) => line.damageIds))],
        action: part === null ? kind : describeAction(rowLines.filter((line) => !isRemovedPaint(line))),
        partNames: listPartNames(rowLines, ctx),
        hoursTenths: isFree ? after.tenths : hoursTenths,
        costMinor: isFree || agreed.has(part) ? after.minor : chosenMinor + after.minor - before.minor,
      };
    });
  const sharedMinor = firstBill.est - sumBy(priced, (row) => row.costMinor);
  const isRounding = sharedMinor === 0 || (priced.length > 0 && Math.abs(sharedMinor) <= lines.length);
  const all = isRounding
    ? absorb(priced, sharedMinor, agreed)
    : [...priced, { ...SHARED, costMinor: sharedMinor }];
  return all.toSorted((a, b) => REPAIR_LINE_KINDS.indexOf(a.kind) - REPAIR_LINE_KINDS.indexOf(b.kind));
}

/** Returns true for the paint of a panel that a user removed or gave no hours. */
const isRemovedPaint = (line: EstimateLine) =>
  line.operation === 'Refn' && line.isManual && (!isCounted(line) || line.hoursTenths === 0);

/** Returns a line of a part as it was before a user's changes; nothing for an added one. */
function restoreLine(line: EstimateLine): readonly EstimateLine[] {
  if (line.group === 'added') return [];
  if (line.computed === undefined) return [line];
  const { priceMinor, ...computed } = line.computed;
  const price = line.fixedMinor === undefined ? { goodsMinor: priceMinor ?? 0 } : { fixedMinor: priceMinor };
  return [{ ...line, ...computed, ...price }];
}

/** Computes a line's amount in the first bill, in minor units. */
const priceInBill = (line: EstimateLine, ctx: PricingContext) =>
  isCounted(line) ? priceLine(line, ctx) : priceExpectedShare(line, ctx);

function listPartNames(lines: readonly EstimateLine[], ctx: PricingContext): readonly string[] {
  const rank = ({ operation }: EstimateLine) => Number(operation === 'R&I');
  const sorted = lines.toSorted((a, b) => rank(a) - rank(b) || priceInBill(b, ctx) - priceInBill(a, ctx));
  return [...new Set(sorted.map(({ part }) => part))];
}

/** Sums the hours of the counted lines, and the amounts of all in the first bill with their paint materials. */
function sumLines(lines: readonly EstimateLine[], materialsByTenth: number, ctx: PricingContext) {
  const counted = lines.filter(isCounted);
  const materialsMinor = roundHalfAway(materialsByTenth * sumBy(counted, countMaterialTenths));
  return {
    tenths: sumBy(counted, (line) => line.hoursTenths),
    minor: materialsMinor + sumBy(lines, (line) => priceInBill(line, ctx)),
  };
}

/** Computes the paint materials per tenth of a counted refinish hour, unrounded; by the rate if no hour is counted. */
function priceMaterialsByTenth(lines: readonly EstimateLine[], ctx: PricingContext): number {
  const counted = lines.filter(isCounted);
  const tenths = sumBy(counted, countMaterialTenths);
  if (tenths === 0) return ctx.materials.est / 10;
  return sumBy(counted, (line) => (line.group === 'materials' ? line.goodsMinor : 0)) / tenths;
}

const UNPAINTED = { refinish: [], blends: [] };
const SHARED = {
  kind: 'shared',
  part: null,
  damageIds: [],
  action: 'shared',
  partNames: [],
  hoursTenths: 0,
} as const;

/** Adds a rounding difference to the largest row, avoiding agreed rows if possible. */
function absorb(
  rows: readonly RepairLine[],
  minor: number,
  agreed: ReadonlySet<string | null | undefined>,
): readonly RepairLine[] {
  const adjustable = rows.filter(({ part }) => !agreed.has(part));
  const candidates = adjustable.length === 0 ? rows : adjustable;
  const [largest] = candidates.toSorted((a, b) => b.costMinor - a.costMinor);
  return rows.map((row) => (row === largest ? { ...row, costMinor: row.costMinor + minor } : row));
}

/** Counts the refinish time that needs clear coat, in tenths of an hour; an agreed price includes it. */
const countClearedTenths = ({ operation, fixedMinor, hoursTenths }: EstimateLine) =>
  operation === 'Refn' && fixedMinor === undefined ? hoursTenths : 0;

/** Describes a part's repair by its operations: `straighten, replace, paint`, `push out, paint`. */
function describeAction(lines: readonly EstimateLine[]): string {
  const has = (...names: EstimateLine['operation'][]) => lines.some((line) => names.includes(line.operation));
  const hasOnly = (name: EstimateLine['operation']) => lines.every(({ operation }) => operation === name);
  const repairs = lines.filter(({ operation }) => operation === 'Rpr');
  const spots = repairs.filter(({ department }) => department === 'refinish');
  const straighten = has('Setup', 'Pull') && 'straighten';
  const repair = repairs.length > spots.length && 'repair';
  const paint = has('Refn') && 'paint';
  if (has('R&R')) return compact([straighten, repair, 'replace', paint]).join(', ');
  if (has('Sect')) return compact(['replace a section', paint]).join(', ');
  const work = compact([
    straighten,
    has('PDR') && 'push out',
    repair,
    spots.length > 0 && 'spot repair',
    has('Pol') && 'polish',
    has('Tch') && 'touch up',
    has('Algn') && 'align',
    has('O/H') && 'overhaul',
    hasOnly('R&I') && 'remove and install',
    hasOnly('Subl') && 'sublet',
    paint,
  ]);
  return work.join(', ') || 'repair';
}
