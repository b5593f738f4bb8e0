import { groupBy } from '../../lib/group-by.ts';
import type { PricedOption } from '../option/price.ts';
import { type Options, priceOptions } from '../option/recommend.ts';
import type { Line } from '../option/repair-plan.ts';
import type { Target } from '../option/target.ts';
import type { PricingContext } from '../pricing-context.ts';
import { isImpactDamage } from './expected-weight.ts';
import { applyFigures, type FigureOverride, type Item, joinFigures } from './override.ts';

/** The repair of one target for all its damages. */
export interface PanelRepair {
  readonly target: Target;
  readonly ids: readonly string[];
  /** True if any damage results from an impact rather than wear. */
  readonly isImpact: boolean;
  /** The repair option on its own. */
  readonly option: PricedOption;
  /** Other adequate options for the vehicle-wide choice; none if an adjuster has decided. */
  readonly alternatives: readonly PricedOption[];
  /** An adjuster's figures for the main line and part. */
  readonly figures?: FigureOverride | undefined;
}

/** A target with a repair option. */
export type PanelChoice = Pick<PanelRepair, 'target' | 'option' | 'isImpact'>;

/** A panel's repair as part of the vehicle's; `option` is chosen vehicle-wide. */
export interface VehiclePanel extends PanelRepair {
  /** Labor lines other than refinish, combined for the vehicle. */
  readonly work: readonly Line[];
}

/** Groups items by target; item order does not matter. */
export function groupByPanel(items: readonly Item[], ctx: PricingContext): readonly PanelRepair[] {
  const sorted = [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
  const groups = groupBy(sorted, (item) => item.options.target.key);
  return [...groups.keys()].sort().map((key) => joinItems(groups.get(key) ?? [], ctx));
}

/** Combines the damages of one target into one repair; an adjuster's option, hours and price carry over. */
function joinItems(items: readonly Item[], ctx: PricingContext): PanelRepair {
  const [first] = items;
  if (first === undefined) throw new Error('a panel without damages');
  const { target } = first.options;
  const ids = items.map((item) => item.id).sort();
  const isImpact = items.some(({ damage }) => isImpactDamage({ damage, target }, ctx));
  const isDecided = items.some((item) => item.preferredOption !== undefined || item.figures !== undefined);
  if (items.length === 1) {
    const alternatives = isDecided ? [] : listAlternatives(first.options);
    return { target, ids, isImpact, option: first.chosen, alternatives, figures: first.figures };
  }
  const prefer = items.map((item) => item.preferredOption).filter((name) => name !== undefined);
  const options = priceOptions(
    items.map((item) => item.damage),
    target,
    ctx,
    prefer.sort()[0],
  );
  const jointOption = options.recommended;
  if (!isDecided)
    return { target, ids, isImpact, option: jointOption, alternatives: listAlternatives(options) };
  const figures = joinFigures(items, jointOption);
  const option = figures === undefined ? jointOption : applyFigures(jointOption, figures, ctx);
  return { target, ids, isImpact, option, alternatives: [], figures };
}

/** Lists the other adequate options, which may be cheaper in combination with other painted or straightened panels. */
function listAlternatives({ options, recommended }: Options): readonly PricedOption[] {
  return options.filter(
    (option) =>
      option !== recommended &&
      option.plan.inadequate === undefined &&
      option.plan.role !== 'alternative_part',
  );
}
