import { makeFieldError } from '../../lib/errors.ts';
import { groupBy } from '../../lib/lists.ts';
import { compareTexts } from '../../lib/names.ts';
import type { PricingDamage } from '../option/damage.ts';
import type { PanelRepair } from '../option/panel-repair.ts';
import { findLightRepair } from '../option/plans/light.ts';
import { type Preference, priceOptions } from '../option/recommend.ts';
import type { Target } from '../option/target.ts';
import type { PricingContext } from '../pricing-context.ts';
import { isImpactDamage } from './expected-weight.ts';

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
  const sorted = items.toSorted((a, b) => compareTexts(a.id, b.id));
  const groups = groupBy(sorted, (item) => item.target.key);
  return [...groups].sort(([a], [b]) => compareTexts(a, b)).map(([, group]) => decidePanel(group, ctx));
}

/**
 * Decides on one repair for all damages of a target; an option named by an adjuster is taken.
 * @throws VehiError of field `overrides` if two damages are to be repaired by different options
 */
function decidePanel(items: readonly [PanelDamage, ...PanelDamage[]], ctx: PricingContext): PanelRepair {
  const [{ target }] = items;
  const [chosen, ...others] = items.filter((item) => item.preferredOption !== undefined);
  const preferred = chosen?.preferredOption;
  const rival = others.find((item) => item.preferredOption !== preferred);
  if (chosen && rival)
    throw makeFieldError(
      'overrides',
      `overrides: damage "${chosen.id}" has option "${preferred}" and damage "${rival.id}" has "${rival.preferredOption}", but they are repaired as one.`,
      'Choose one option for both.',
    );
  const damages = items.map((item) => item.damage);
  const impacts = damages.filter((damage) => isImpactDamage({ damage, target }, ctx));
  const prefer: Preference | undefined =
    preferred === undefined ? undefined : { option: preferred, reason: 'overridden_by_adjuster' };
  const options = priceOptions(damages, target, ctx, prefer);
  return {
    target,
    damageIds: items.map((item) => item.id),
    damages,
    isImpact: impacts.length > 0,
    isDeformed: impacts.some((damage) => findLightRepair(damage, { target, ctx }) === undefined),
    options,
    option: options.recommended,
    isOverridden: preferred === options.recommended.plan.option,
  };
}
