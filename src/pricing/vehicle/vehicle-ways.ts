import type { PricedOption } from '../option/price.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { PanelRepair } from './panel-repair.ts';
import { priceVehicle } from './vehicle-price.ts';

/** The ways a panel may be repaired; its own choice first. */
type Ways = readonly [PricedOption, ...PricedOption[]];
/** Estimated total of the vehicle, minor units. */
type Cost = (options: readonly PricedOption[]) => number;

/** Combinations that are all priced, some hundredths of a second; a vehicle with more is settled panel by panel. */
const MOST_COMBINATIONS = 256;

/** Returns base refinish, and a tenth of an hour for each blend: enough to say which of two ways paints more. */
const paintTenths = (option: PricedOption) =>
  option.plan.refinish.reduce((sum, entry) => sum + entry.baseTenths, option.plan.blends.length);
/** Returns the method that paints most: next to it, painting another panel costs least. */
const mostPaint = (ways: Ways) =>
  ways.reduce((most, way) => (paintTenths(way) > paintTenths(most) ? way : most));

/**
 * Returns the way of repair of each panel, in the order of the panels, with which the vehicle as a whole costs least:
 * next to panels that are painted anyway, painting or replacing one may cost less than its own choice, as overlap,
 * clear coat and blends are shared. Adequate ways only, and none against an adjuster. Equal costs keep the panel's own
 * choice. With the least total, a further damage never lowers the total: it makes no way of its panel cheaper, and each
 * way that is left was open before. Where there are more combinations than are priced, the better of two ends counts as
 * the least: settled from every panel's own choice, and from every panel painted.
 */
export function waysOfRepair(panels: readonly PanelRepair[], ctx: PricingContext): readonly PricedOption[] {
  const cost: Cost = (options) => priceVehicle(options, ctx).totalMinor;
  const all = panels.map(({ option, alternatives }): Ways => [option, ...alternatives]);
  const own = panels.map((panel) => panel.option);
  if (all.length < 2 || all.every((ways) => ways.length === 1)) return own;
  const worth = worthTrying(all, cost, ctx);
  const combinations = worth.reduce((product, ways) => product * ways.length, 1);
  if (combinations <= MOST_COMBINATIONS) return cheapestOf(worth, combinations, cost);
  const ends = [own, worth.map(mostPaint)].map((start) => settled(worth, start, cost));
  return ends.reduce((best, end) => (cost(end) < cost(best) ? end : best));
}

/**
 * Leaves out what cannot pay. Sharing is greatest where every other panel is painted: a way that costs more than the
 * panel's own even there, by more than an hour of refinish, costs more everywhere. The hour stands for what the order
 * of panels adds: groups of panels joined by this one (0.2 h each) and rounding to tenths.
 */
function worthTrying(all: readonly Ways[], cost: Cost, ctx: PricingContext): readonly Ways[] {
  const painted = all.map(mostPaint);
  const hour = ctx.rates.refinish.est + ctx.materials.est;
  return all.map((ways, i): Ways => {
    const [own, ...others] = ways;
    if (others.length === 0) return ways;
    const costWith = (way: PricedOption) => cost(painted.with(i, way));
    const limit = costWith(own) + hour;
    return [own, ...others.filter((way) => costWith(way) < limit)];
  });
}

/**
 * Returns the cheapest of all combinations; of equal ones the first, and the own choice counts as zero, so it comes
 * first.
 */
function cheapestOf(all: readonly Ways[], combinations: number, cost: Cost): readonly PricedOption[] {
  const combination = (number: number): PricedOption[] => {
    let rest = number;
    return all.map((ways) => {
      const way = ways[rest % ways.length] ?? ways[0];
      rest = Math.floor(rest / ways.length);
      return way;
    });
  };
  let best = combination(0);
  let least = cost(best);
  for (let number = 1; number < combinations; number++) {
    const options = combination(number);
    const total = cost(options);
    if (total < least) [best, least] = [options, total];
  }
  return best;
}

/**
 * Starts from `start` and gives each panel in turn its cheapest way, or its own where that costs the same, until none
 * changes. It ends, since each change lowers a whole number, or keeps it and brings a panel back to its own choice.
 */
function settled(all: readonly Ways[], start: readonly PricedOption[], cost: Cost): readonly PricedOption[] {
  let [options, least, changed] = [start, cost(start), true];
  while (changed) {
    changed = false;
    for (const [i, ways] of all.entries()) {
      for (const way of ways) {
        if (way === options[i]) continue;
        const tried = options.with(i, way);
        const total = cost(tried);
        if (total < least || (total === least && way === ways[0])) {
          [options, least, changed] = [tried, total, true];
        }
      }
    }
  }
  return options;
}
