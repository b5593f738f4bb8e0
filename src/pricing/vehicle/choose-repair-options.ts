import type { PricedOption } from '../option/price.ts';
import type { PricingContext } from '../pricing-context.ts';
import { prepareExpectedOperations } from './associated.ts';
import { findCheapestCombination } from './cheapest-combination.ts';
import type { ExpectedWeight } from './expected-weight.ts';
import type { PanelChoice, PanelRepair } from './panel-repair.ts';
import { priceVehicle } from './vehicle-price.ts';

/** Repair options of a panel, its own choice first. */
type PanelOptions = readonly [PanelChoice, ...PanelChoice[]];
/** Cost of the vehicle's first bill with one option per panel, in minor units. */
type Cost = (selection: readonly PanelChoice[]) => number;

/** Maximum number of combinations priced; takes about 0.1 s. */
const MAX_COMBINATIONS = 1000;

/** Base refinish plus a tenth of an hour per blend, which suffices to rank options by paint. */
const computePaintTenths = ({ option }: PanelChoice) =>
  option.plan.refinish.reduce((sum, entry) => sum + entry.baseTenths, option.plan.blends.length);
/** Returns the option with the most paint, with which painting another panel costs least. */
const findMostPaint = (options: PanelOptions) =>
  options.reduce((most, one) => (computePaintTenths(one) > computePaintTenths(most) ? one : most));

/**
 * Chooses each panel's repair option, in panel order, to minimize the vehicle's first bill including fees, caps,
 * minimums and expected operations. Shared overlap, clear coat and blends can make painting or replacing a panel
 * cheaper than its own choice. Only adequate options qualify, an adjuster's choice is kept, and ties keep the panel's
 * own choice. A further damage never lowers a minimal first bill: it makes no combination cheaper and adds none. If the
 * search limit is reached, the cheapest combination found may not be minimal.
 */
export function chooseRepairOptions(
  panels: readonly PanelRepair[],
  weight: ExpectedWeight,
  ctx: PricingContext,
): readonly PricedOption[] {
  const expected = prepareExpectedOperations(ctx);
  const cost: Cost = (selection) => priceVehicle(selection, weight, ctx, expected).totalMinor;
  const slots = panels.map(
    ({ alternatives, ...panel }): PanelOptions => [
      panel,
      ...alternatives.map((option) => ({ ...panel, option })),
    ],
  );
  const ownChoices = slots.map(([first]) => first);
  if (slots.every((options) => options.length === 1)) return ownChoices.map(({ option }) => option);
  const [fromOwn, fromPaint] = [
    descend(slots, ownChoices, cost),
    descend(slots, slots.map(findMostPaint), cost),
  ];
  const start = fromPaint.least < fromOwn.least ? fromPaint.chosen : fromOwn.chosen;
  const cheapest = findCheapestCombination(slots, start, cost, MAX_COMBINATIONS);
  return cheapest.map(({ option }) => option);
}

/**
 * Descends from `start`, giving each panel in turn its cheapest option, or its own at equal cost, until nothing
 * changes. Terminates because each change lowers an integer cost or returns a panel to its own choice at equal cost.
 */
function descend(slots: readonly PanelOptions[], start: readonly PanelChoice[], cost: Cost) {
  let chosen = start;
  let least = cost(start);
  let hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (const [i, options] of slots.entries()) {
      for (const option of options) {
        if (option === chosen[i]) continue;
        const candidate = chosen.with(i, option);
        const total = cost(candidate);
        if (total < least || (total === least && option === options[0])) {
          [chosen, least, hasChanged] = [candidate, total, true];
        }
      }
    }
  }
  return { chosen, least: least };
}
