import { REPAIR_LINE_KINDS, type RepairLineKind } from '../../domain/repair.ts';
import type { PricingContext } from '../pricing-context.ts';
import { type EstimateLine, priceLine } from './line.ts';

/** One row of a repair as people read it: one per part. Minor units. */
export interface RepairLine {
  readonly kind: RepairLineKind;
  /** Null for what is of the whole vehicle. */
  readonly part: string | null;
  readonly damageIds: readonly string[];
  /** What is done to the part, in words; else the kind. */
  readonly action: string;
  readonly costMinor: number;
}

const sumLines = (lines: readonly EstimateLine[], ctx: PricingContext) =>
  lines.reduce((sum, line) => sum + priceLine(line, ctx), 0);
const sumCosts = (rows: readonly RepairLine[]) => rows.reduce((sum, row) => sum + row.costMinor, 0);

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
      return { kind: 'expected', part: null };
    default:
      return null;
  }
}

/**
 * Returns an estimate as one row per part, then neighbours that are blended, paint materials with fees, and what usually
 * comes with the repair; the rows add up to the headline exactly. Clear coat over all panels is shared out by the paint
 * hours of each part. What the headline holds above the lines is expected work; cents of rounding go to the largest row.
 */
export function listRepairLines(
  lines: readonly EstimateLine[],
  headlineMinor: number,
  ctx: PricingContext,
): readonly RepairLine[] {
  const counted = lines.filter((line) => line.counted === 'total');
  const rows: (Pick<RepairLine, 'kind' | 'part'> & { own: EstimateLine[] })[] = [];
  for (const line of counted) {
    const of = findRow(line);
    if (of === null) continue;
    const row = rows.find(({ kind, part }) => kind === of.kind && part === of.part);
    if (row) row.own.push(line);
    else rows.push({ ...of, own: [line] });
  }
  const above = headlineMinor - sumLines(counted, ctx);
  if (above !== 0 && !rows.some((row) => row.kind === 'expected'))
    rows.push({ kind: 'expected', part: null, own: [] });
  const clear = shareOut(
    sumLines(
      counted.filter((line) => line.group === 'refinish' && findRow(line) === null),
      ctx,
    ),
    rows.map(({ own }) => sumPaintTenths(own)),
  );
  const priced = rows
    .map(
      ({ kind, part, own }, i): RepairLine => ({
        kind,
        part,
        damageIds: [...new Set(own.flatMap((line) => line.damageIds))],
        action: kind === 'part' ? describeAction(own) : kind,
        costMinor: sumLines(own, ctx) + (clear[i] ?? 0) + (kind === 'expected' ? above : 0),
      }),
    )
    .sort((a, b) => REPAIR_LINE_KINDS.indexOf(a.kind) - REPAIR_LINE_KINDS.indexOf(b.kind));
  const rest = headlineMinor - sumCosts(priced);
  const largest = Math.max(...priced.map((row) => row.costMinor));
  const at = priced.findIndex((row) => row.costMinor === largest);
  return priced.map((row, i) => (i === at ? { ...row, costMinor: row.costMinor + rest } : row));
}

const sumPaintTenths = (lines: readonly EstimateLine[]) =>
  lines.reduce((sum, line) => sum + (line.operation === 'Refn' ? line.hoursTenths : 0), 0);

/** Shares out whole units in proportion to the weights, without a rest; without weights there is no share. */
function shareOut(amount: number, weights: readonly number[]): readonly number[] {
  const all = weights.reduce((sum, one) => sum + one, 0);
  if (all === 0) return weights.map(() => 0);
  let before = 0;
  return weights.map((_, i) => {
    const upTo = weights.slice(0, i + 1).reduce((sum, one) => sum + one, 0);
    const end = Math.round((amount * upTo) / all);
    const own = end - before;
    before = end;
    return own;
  });
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
