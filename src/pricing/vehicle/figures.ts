import type { Operation } from '../../domain/repair.ts';
import { type PricedOption, priceLines } from '../option/price.ts';
import type { Line, PlanPart } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';

/** Figures for the line and the part of an option, minor units. */
export interface FigureOverride {
  readonly hoursTenths?: number | undefined;
  readonly priceMinor?: number | undefined;
}

const PAINT: readonly Operation[] = ['Refn', 'Clear', '3-stg', 'Blnd'];
const AROUND: readonly Operation[] = ['Setup', 'R&I', 'Algn'];

/** Returns the line that does the repair: not its set-up, access, alignment or paint, unless there is nothing else. */
export function mainLine(option: PricedOption): Line | undefined {
  const body = option.lines.filter((line) => !PAINT.includes(line.operation));
  return body.find((line) => !AROUND.includes(line.operation)) ?? body[0] ?? option.lines[0];
}

/** Returns the part the repair buys: a real part before a consumable, never the paint materials. */
export function mainPart(option: PricedOption, ctx: PricingContext): PlanPart | undefined {
  const bought = option.parts.filter((part) => part.part !== ctx.tables.operations.materials.consumable);
  return bought.find((part) => part.type !== 'consumable' && part.type !== 'sublet') ?? bought[0];
}

/** Returns the option with an adjuster's figures on its main line and its main part; everything else as computed. */
export function applyFigures(
  option: PricedOption,
  { hoursTenths, priceMinor }: FigureOverride,
  ctx: PricingContext,
): PricedOption {
  const main = mainLine(option);
  const bought = mainPart(option, ctx);
  const pushed = option.lines.find((line) => line.fixed !== undefined);
  const lines = option.lines.map((line): Line => {
    const hours = line === main ? hoursTenths : undefined;
    const price = line === pushed && bought === undefined ? priceMinor : undefined;
    if (hours === undefined && price === undefined) return line;
    return {
      ...line,
      ...(hours === undefined ? {} : { hoursTenths: hours }),
      ...(price === undefined ? {} : { fixed: { minor: price, listMinor: price } }),
      basis: 'override',
      note: "adjuster's figure",
    };
  });
  const parts = option.parts.map((part) =>
    part === bought && priceMinor !== undefined ? { ...part, priceMinor } : part,
  );
  return priceLines(option.plan, lines, parts, ctx);
}
