import { roundHalfAway, roundProduct } from '../../domain/money.ts';
import { sumBy } from '../../lib/lists.ts';
import type { PricingContext } from '../pricing-context.ts';
import { makeRefinishLines } from './refinish.ts';
import type { Line, Plan, PlanPart } from './repair-plan.ts';
import { findSpreadFactors, spreadMinor } from './spread.ts';

/** A plan with its price, in whole minor units of the response currency. */
export type PricedOption = Readonly<ReturnType<typeof pricePlan>>;

/** Sums the refinish time, in tenths of an hour. */
export const sumRefinishTenths = (lines: readonly Pick<Line, 'department' | 'hoursTenths'>[]): number =>
  sumBy(lines, (line) => (line.department === 'refinish' ? line.hoursTenths : 0));

/** Computes hours x rate in minor units, unrounded. */
export const computeUnroundedLabor = (hoursTenths: number, rateMinor: number) =>
  (hoursTenths * rateMinor) / 10;

/** Computes hours x rate in minor units, rounded half up. */
export const computeLabor = (hoursTenths: number, rateMinor: number) =>
  roundHalfAway(computeUnroundedLabor(hoursTenths, rateMinor));

/** Prices a plan on its own: labor plus parts. Labor is hours x rate, which meets a fixed price up to rounding. */
export function pricePlan(plan: Plan, ctx: PricingContext) {
  const lines: readonly Line[] = [...plan.lines, ...makeRefinishLines(plan.refinish, plan.blends, ctx)];
  const hoursTenths = sumBy(lines, (line) => line.hoursTenths);
  const refinishTenths = sumRefinishTenths(lines);
  const price = ({ fixed, hoursTenths: tenths, department }: Line) =>
    fixed?.minor ?? computeUnroundedLabor(tenths, ctx.rates[department].est);
  // The average of the departments' rates, weighted by their hours.
  const rateMinor =
    hoursTenths === 0
      ? ctx.laborRate.est
      : roundHalfAway((roundProduct(sumBy(lines, price)) * 10) / hoursTenths);
  const laborMinor = computeLabor(hoursTenths, rateMinor);
  const materials: PlanPart = {
    part: ctx.tables.operations.materials.consumable,
    type: 'consumable',
    source: 'consumable',
    priceMinor: computeLabor(refinishTenths, ctx.materials.est),
  };
  const parts = refinishTenths === 0 ? plan.parts : [...plan.parts, materials];
  const partsMinor = sumBy(parts, (part) => part.priceMinor);
  const total = spreadMinor(laborMinor + partsMinor, findSpreadFactors(lines[0]?.part, ctx));
  return { plan, lines, parts, hoursTenths, refinishTenths, rateMinor, laborMinor, partsMinor, total };
}
