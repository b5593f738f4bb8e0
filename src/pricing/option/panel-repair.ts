import type { PricingDamage } from './damage.ts';
import type { PricedOption } from './price.ts';
import type { Options } from './recommend.ts';
import type { Target } from './target.ts';

/** The repair of one target for all its damages; every output shows these options and the chosen one. */
export interface PanelRepair {
  readonly target: Target;
  readonly damageIds: readonly string[];
  readonly damages: readonly PricingDamage[];
  /** True if any damage results from an impact rather than wear. */
  readonly isImpact: boolean;
  /** True if an impact left deformation that neither PDR nor alignment restores, so damage behind it is likely. */
  readonly isDeformed: boolean;
  readonly options: Options;
  /** The chosen option, priced on its own. */
  readonly option: PricedOption;
  /** True if an adjuster chose the option. */
  readonly isOverridden: boolean;
}
