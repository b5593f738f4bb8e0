import { groupBy } from '../../lib/lists.ts';
import type { PricingDamage } from '../option/damage.ts';
import { findLightRepair } from '../option/plans/light.ts';
import type { PricedOption } from '../option/price.ts';
import { type Options, priceOptions } from '../option/recommend.ts';
import type { Line } from '../option/repair-plan.ts';
import type { Target } from '../option/target.ts';
import type { PricingContext } from '../pricing-context.ts';
import { isImpactDamage } from './expected-weight.ts';

/** The repair of one target for all its damages; every output shows these options and the chosen one. */
export interface PanelRepair {
  readonly target: Target;
  readonly ids: readonly string[];
  readonly damages: readonly PricingDamage[];
  /** True if any damage results from an impact rather than wear. */
  readonly isImpact: boolean;
  /** True if an impact left deformation that neither PDR nor alignment restores, so damage behind it is likely. */
  readonly isDeformed: boolean;
  readonly options: Options;
  /** The chosen option, priced on its own. */
  readonly option: PricedOption;
  /** True if an adjuster chose the option. */
  readonly isPreferred: boolean;
}

/** A panel's repair as part of the vehicle's. */
export interface VehiclePanel extends PanelRepair {
  /** Labor lines other than refinish, combined for the vehicle. */
  readonly work: readonly Line[];
}

/** A graded damage to decide on. */
export interface PanelDamage {
  readonly id: string;
  readonly damage: PricingDamage;
  readonly target: Target;
  /** Name of the option chosen by an adjuster. */
  readonly preferredOption?: string | undefined;
}

/** Decides one repair per target; the order of the items does not matter. */
export function decidePanels(items: readonly PanelDamage[], ctx: PricingContext): readonly PanelRepair[] {
  const sorted = [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
  const groups = groupBy(sorted, (item) => item.target.key);
  return [...groups.keys()].sort().map((key) => decidePanel(groups.get(key) ?? [], ctx));
}

/** Decides on one repair for all damages of a target; an option named by an adjuster is taken. */
function decidePanel(items: readonly PanelDamage[], ctx: PricingContext): PanelRepair {
  const [first] = items;
  if (first === undefined) throw new Error('a panel without damages');
  const { target } = first;
  const [preferred] = items.flatMap((item) => item.preferredOption ?? []).sort();
  const damages = items.map((item) => item.damage);
  const impacts = damages.filter((damage) => isImpactDamage({ damage, target }, ctx));
  const reason = 'overridden_by_adjuster' as const;
  const prefer = preferred === undefined ? undefined : { option: preferred, reason };
  const options = priceOptions(damages, target, ctx, prefer);
  return {
    target,
    ids: items.map((item) => item.id),
    damages,
    isImpact: impacts.length > 0,
    isDeformed: impacts.some((damage) => findLightRepair(damage, target, ctx) === undefined),
    options,
    option: options.recommended,
    isPreferred: preferred === options.recommended.plan.option,
  };
}
