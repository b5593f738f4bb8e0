import type { PricingContext } from '../context.ts';
import type { PricingDamage } from '../option/damage.ts';
import { type FigureOverride, overrideFigures } from '../option/override.ts';
import type { PricedOption } from '../option/price.ts';
import { type Options, optionsFor } from '../option/recommend.ts';
import type { Target } from '../option/target.ts';

/** One damage with its options and the option that counts. */
export interface Item {
  readonly id: string;
  readonly damage: PricingDamage;
  readonly options: Options;
  readonly chosen: PricedOption;
  /** An option an adjuster named. */
  readonly prefer?: string | undefined;
  /** Figures an adjuster named, as differences to the chosen option. */
  readonly figures?: FigureOverride | undefined;
}

/** One repair of one target over all its damages. */
export interface PanelRepair {
  readonly target: Target;
  readonly ids: readonly string[];
  /** The repair on its own. */
  readonly option: PricedOption;
  /** Painted ways that restore the part too, for the vehicle to choose from; none where an adjuster has chosen. */
  readonly alternatives: readonly PricedOption[];
}

/** Items by target, each target once; the order of the items does not matter. */
export function panelRepairs(items: readonly Item[], ctx: PricingContext): readonly PanelRepair[] {
  const groups = new Map<string, Item[]>();
  for (const item of [...items].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const key = item.options.target.key;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.keys()].sort().map((key) => panelOf(groups.get(key) ?? [], ctx));
}

/** Damages of one target as one repair; an adjuster's option, hours and price carry over. */
function panelOf(items: readonly Item[], ctx: PricingContext): PanelRepair {
  const [first] = items;
  if (first === undefined) throw new Error('a panel without damages');
  const { target } = first.options;
  const ids = items.map((item) => item.id).sort();
  const decided = items.some((item) => item.prefer !== undefined || item.figures !== undefined);
  if (items.length === 1) {
    return { target, ids, option: first.chosen, alternatives: decided ? [] : paintedWays(first.options) };
  }
  const prefer = items.map((item) => item.prefer).filter((name) => name !== undefined);
  const options = optionsFor(
    items.map((item) => item.damage),
    target,
    ctx,
    prefer.sort()[0],
  );
  const together = options.recommended;
  const hours = items.reduce((sum, item) => sum + differenceOf(item).hoursTenths, 0);
  const parts = items.reduce((sum, item) => sum + differenceOf(item).partsMinor, 0);
  if (hours === 0 && parts === 0) {
    return { target, ids, option: together, alternatives: decided ? [] : paintedWays(options) };
  }
  const figures = {
    hoursTenths: Math.max(0, together.hoursTenths + hours),
    partsMinor: Math.max(0, together.partsCost.est + parts),
  };
  return { target, ids, option: overrideFigures(together, target.name, figures, ctx), alternatives: [] };
}

/**
 * Painted ways beside a repair, with a new part or without: only their cost depends on what else is painted. A part that
 * is replaced by itself has none, as a repair near the cost of a new part is not done, whatever it shares.
 */
function paintedWays({ options, recommended }: Options): readonly PricedOption[] {
  if (recommended.plan.role !== 'repair') return [];
  return options.filter(
    ({ plan }) =>
      plan !== recommended.plan &&
      plan.inadequate === undefined &&
      plan.role !== 'alternative_part' &&
      plan.refinish.length > 0,
  );
}

function differenceOf(item: Item): { hoursTenths: number; partsMinor: number } {
  if (item.figures === undefined) return { hoursTenths: 0, partsMinor: 0 };
  const computed = item.options.recommended;
  return {
    hoursTenths: item.figures.hoursTenths === undefined ? 0 : item.figures.hoursTenths - computed.hoursTenths,
    partsMinor: item.figures.partsMinor === undefined ? 0 : item.figures.partsMinor - computed.partsCost.est,
  };
}
