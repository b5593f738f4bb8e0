import { roundHalfAway } from '../../domain/money.ts';
import type { PanelRepair } from '../option/panel-repair.ts';
import type { PricedOption } from '../option/price.ts';
import type { Line } from '../option/repair-plan.ts';
import { makeSpread, type PricingContext, type Spread } from '../pricing-context.ts';

/** Operations that may reveal hidden damage; glass is excluded because it is fitted from outside. */
const REVEALING: readonly Line['operation'][] = ['Rpr', 'R&R', 'Sect', 'Setup', 'Pull'];
export const revealsHiddenDamage = ({ lines, plan }: PricedOption) =>
  plan.repairType !== 'cosmetic' &&
  lines.some(({ operation, department }) => department !== 'glass' && REVEALING.includes(operation));

/**
 * Returns true if the repair involves teardown: every adequate option, or the adjuster's option, opens up the part.
 * Independent of which option is cheapest.
 */
export const requiresTeardown = ({ options: { options }, option, isOverridden }: PanelRepair) =>
  isOverridden
    ? revealsHiddenDamage(option)
    : options.filter(({ plan }) => plan.inadequate === undefined).every(revealsHiddenDamage);

/**
 * Adds the usual supplement after teardown to the first bill, using a published share. Undefined if the repair involves
 * no teardown, as for glass, PDR or scratches.
 */
export function estimateAfterTeardown(
  { involvesTeardown, firstBill }: { readonly involvesTeardown: boolean; readonly firstBill: Spread },
  ctx: PricingContext,
) {
  if (!involvesTeardown) return undefined;
  const { share, source } = ctx.tables.spreads.teardown;
  return { total: makeSpread((end) => roundHalfAway(firstBill[end] * (1 + share))), share, source };
}
