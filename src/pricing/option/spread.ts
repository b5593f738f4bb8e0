import type { PricingContext, Spread } from '../pricing-context.ts';
import type { Tables } from '../tables/load.ts';
import type { Line, PlanPart } from './repair-plan.ts';

/** How far the real figure lies from ours in most cases, as factors of ours. */
interface SpreadFactors {
  readonly low: number;
  readonly high: number;
}

const EXACT: SpreadFactors = { low: 1, high: 1 };

/** Returns the spread of an operation, a kind of part or the paint materials; exact where the table names none. */
export function findSpread(of: string, tables: Tables): SpreadFactors {
  return tables.spreads.rows.find((row) => row.of === of) ?? EXACT;
}

function readFactor({ low, high }: SpreadFactors, end: keyof Spread): number {
  return end === 'min' ? low : end === 'max' ? high : 1;
}

/** Returns the spread of a line's time at one end: glass work by its trade, the rest by its operation. */
export function findLineFactor(line: Line, ctx: PricingContext, end: keyof Spread): number {
  return readFactor(findSpread(line.department === 'glass' ? 'glass' : line.operation, ctx.tables), end);
}

/** Returns the spread of a part's price at one end: paint materials by themselves, other parts by their kind. */
export function findPartFactor(
  part: Pick<PlanPart, 'part' | 'type' | 'known'> & {
    readonly source?: PlanPart['source'] | undefined;
  },
  ctx: PricingContext,
  end: keyof Spread,
): number {
  const materials = part.part === ctx.tables.operations.materials.consumable;
  const kind = materials ? 'paint_materials' : part.type === 'glass' ? 'glass_part' : part.type;
  // The narrowest kind that the table has a row for.
  const of = [
    ...(part.known ? [`${kind}_known`] : []),
    ...(part.source === 'aftermarket' ? [`aftermarket_${kind}`] : []),
  ].find((name) => ctx.tables.spreads.rows.some((row) => row.of === name));
  return readFactor(findSpread(of ?? kind, ctx.tables), end);
}
