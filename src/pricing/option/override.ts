import type { PricingContext } from '../context.ts';
import type { Line, PlanPart } from './plan.ts';
import { type PricedOption, priceLines } from './price.ts';

/** An adjuster's figures for a recommended option: labour hours and the price of all its parts. */
export interface FigureOverride {
  readonly hoursTenths?: number | undefined;
  readonly partsMinor?: number | undefined;
}

/** The first part takes the difference; what it cannot take comes off the others in order. */
function partsAt(parts: readonly PlanPart[], wantedMinor: number, name: string): PlanPart[] {
  if (parts.length === 0) {
    return wantedMinor === 0
      ? []
      : [{ part: name, type: 'body_part', source: 'oem', priceMinor: wantedMinor }];
  }
  const sum = parts.reduce((total, part) => total + part.priceMinor, 0);
  let difference = wantedMinor - sum;
  return parts.map((part) => {
    const priceMinor = Math.max(0, part.priceMinor + difference);
    difference -= priceMinor - part.priceMinor;
    return { ...part, priceMinor };
  });
}

/** The option with an adjuster's figures: hours as a line of their own, prices on the parts they change. */
export function overrideFigures(
  option: PricedOption,
  name: string,
  figures: FigureOverride,
  ctx: PricingContext,
): PricedOption {
  const lines: Line[] = [...option.lines];
  const difference = figures.hoursTenths === undefined ? 0 : figures.hoursTenths - option.hoursTenths;
  if (difference !== 0) {
    lines.push({
      operation: 'Adj',
      part: name,
      department: option.lines[0]?.department ?? 'body',
      hoursTenths: difference,
      basis: 'override',
      note: "adjuster's hours",
    });
  }
  const parts =
    figures.partsMinor === undefined ? option.parts : partsAt(option.parts, figures.partsMinor, name);
  return priceLines(option.plan, lines, parts, ctx);
}
