import type { PricedOption } from '../option/price.ts';
import type { PricingContext } from '../pricing-context.ts';
import { prepareExpectedOperations } from './associated.ts';
import { findCheapestCombination } from './cheapest-combination.ts';
import type { ExpectedWeight } from './first-bill.ts';
import type { PanelRepair, Repaired } from './panel-repair.ts';
import { priceVehicle } from './vehicle-price.ts';

/** The ways a panel may be repaired; its own choice first. */
type Ways = readonly [Repaired, ...Repaired[]];
/** Estimated total of the vehicle, minor units. */
type Cost = (ways: readonly Repaired[]) => number;

/** Combinations that are priced at most, about a tenth of a second. */
const MOST_PRICED = 1000;

/** Returns base refinish, and a tenth of an hour for each blend: enough to say which of two ways paints more. */
const computePaintTenths = ({ option }: Repaired) =>
  option.plan.refinish.reduce((sum, entry) => sum + entry.baseTenths, option.plan.blends.length);
/** Returns the method that paints most: next to it, painting another panel costs least. */
const findMostPaint = (ways: Ways) =>
  ways.reduce((most, way) => (computePaintTenths(way) > computePaintTenths(most) ? way : most));

/**
 * Returns the way of repair of each panel, in the order of the panels, with which the first bill of the vehicle is least,
 * fees, caps, minimums and what each way brings with it included: next to panels that are painted anyway, painting or
 * replacing one may cost less than its own choice, as overlap, clear coat and blends are shared. Adequate ways only, and
 * none against an adjuster. Equal costs keep the panel's own choice. As it is the least of all combinations, a further
 * damage never lowers the first bill: it makes no combination cheaper, and each that is left was open before. On a vehicle
 * with more combinations than are priced it is the cheapest that was met; nothing proves that this is the least.
 */
export function chooseWays(
  panels: readonly PanelRepair[],
  weight: ExpectedWeight,
  ctx: PricingContext,
): readonly PricedOption[] {
  const expected = prepareExpectedOperations(ctx);
  const cost: Cost = (ways) => priceVehicle(ways, weight, ctx, expected).totalMinor;
  const all = panels.map(
    ({ alternatives, ...panel }): Ways => [panel, ...alternatives.map((option) => ({ ...panel, option }))],
  );
  const own = all.map(([first]) => first);
  if (all.every((ways) => ways.length === 1)) return own.map(({ option }) => option);
  const ends = [own, all.map(findMostPaint)].map((start) => settleWays(all, start, cost));
  const start = ends.reduce((best, end) => (cost(end) < cost(best) ? end : best));
  const cheapest = findCheapestCombination(all, start, cost, MOST_PRICED);
  return cheapest.map(({ option }) => option);
}

/**
 * Starts from `start` and gives each panel in turn its cheapest way, or its own where that costs the same, until none
 * changes. It ends, since each change lowers a whole number, or keeps it and brings a panel back to its own choice.
 */
function settleWays(all: readonly Ways[], start: readonly Repaired[], cost: Cost): readonly Repaired[] {
  let [chosen, least, changed] = [start, cost(start), true];
  while (changed) {
    changed = false;
    for (const [i, ways] of all.entries()) {
      for (const way of ways) {
        if (way === chosen[i]) continue;
        const tried = chosen.with(i, way);
        const total = cost(tried);
        if (total < least || (total === least && way === ways[0])) {
          [chosen, least, changed] = [tried, total, true];
        }
      }
    }
  }
  return chosen;
}
