import type { PricedOption } from '../option/price.ts';
import type { Line } from '../option/repair-plan.ts';
import type { PanelRepair } from './panel-repair.ts';

/** Operations that may reveal hidden damage; glass is excluded because it is fitted from outside. */
const REVEALING: readonly Line['operation'][] = ['Rpr', 'R&R', 'Sect', 'Setup', 'Pull'];
const revealsHiddenDamage = ({ lines, plan }: PricedOption) =>
  plan.repairType !== 'cosmetic' &&
  lines.some(({ operation, department }) => department !== 'glass' && REVEALING.includes(operation));

/**
 * Returns true if the repair involves teardown: every adequate option, or the adjuster's option, opens up the part.
 * Independent of which option is cheapest.
 */
export const requiresTeardown = ({ options: { options }, option, isPreferred }: PanelRepair) =>
  isPreferred
    ? revealsHiddenDamage(option)
    : options.filter(({ plan }) => plan.inadequate === undefined).every(revealsHiddenDamage);
