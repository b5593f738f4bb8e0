import type { PricedOption } from '../option/price.ts';
import type { PricingContext } from '../pricing-context.ts';
import { prepareExpectedOperations } from './associated.ts';
import { findCheapestCombination } from './cheapest-combination.ts';
import type { ExpectedWeight } from './first-bill.ts';
import type { PanelRepair, Repaired } from './panel-repair.ts';
import { priceVehicle } from './vehicle-price.ts';

/** Repair options of a panel, its own choice first. */
type Choices = readonly [Repaired, ...Repaired[]];
/** Cost of the vehicle's first bill, in minor units. */
type Cost = (choices: readonly Repaired[]) => number;

/** Maximum number of combinations priced; takes about 0.1 s. */
const MAX_PRICED = 1000;

/** Base refinish plus a tenth of an hour per blend, which suffices to rank options by paint. */
const computePaintTenths = ({ option }: Repaired) =>
  option.plan.refinish.reduce((sum, entry) => sum + entry.baseTenths, option.plan.blends.length);
/** Returns the option with the most paint, with which painting another panel costs least. */
const findMostPaint = (choices: Choices) =>
  choices.reduce((most, choice) => (computePaintTenths(choice) > computePaintTenths(most) ? choice : most));

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
  const cost: Cost = (choices) => priceVehicle(choices, weight, ctx, expected).totalMinor;
  const all = panels.map(
    ({ alternatives, ...panel }): Choices => [panel, ...alternatives.map((option) => ({ ...panel, option }))],
  );
  const own = all.map(([first]) => first);
  if (all.every((choices) => choices.length === 1)) return own.map(({ option }) => option);
  const minima = [own, all.map(findMostPaint)].map((start) => descend(all, start, cost));
  const start = minima.reduce((best, end) => (cost(end) < cost(best) ? end : best));
  const cheapest = findCheapestCombination(all, start, cost, MAX_PRICED);
  return cheapest.map(({ option }) => option);
}

/**
 * Descends from `start`, giving each panel in turn its cheapest option, or its own at equal cost, until nothing
 * changes. Terminates because each change lowers an integer cost or returns a panel to its own choice at equal cost.
 */
function descend(all: readonly Choices[], start: readonly Repaired[], cost: Cost): readonly Repaired[] {
  let [chosen, least, changed] = [start, cost(start), true];
  while (changed) {
    changed = false;
    for (const [i, choices] of all.entries()) {
      for (const choice of choices) {
        if (choice === chosen[i]) continue;
        const candidate = chosen.with(i, choice);
        const total = cost(candidate);
        if (total < least || (total === least && choice === choices[0])) {
          [chosen, least, changed] = [candidate, total, true];
        }
      }
    }
  }
  return chosen;
}
