import type { RepairType } from '../../domain/repair.ts';
import { sumBy } from '../../lib/lists.ts';
import type { PricedOption } from '../option/price.ts';
import { isBought } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { VehicleEstimate } from './estimate-vehicle.ts';
import type { VehiclePanel } from './panel-repair.ts';

/** Counts working days, with the formula: labor plus one wait each for parts and paint: ceil(hours / 4) + 2 + 1. */
function countDays(options: readonly PricedOption[], tenths: number, { tables }: PricingContext) {
  const { hours_per_day, parts_days, refinish_days } = tables.value.timeline;
  const isOrdered = ({ parts }: PricedOption) => parts.some(isBought);
  const parts = options.some(isOrdered) ? parts_days : 0;
  const paint = options.some((option) => option.refinishTenths > 0) ? refinish_days : 0;
  return {
    days: Math.ceil(tenths / 10 / hours_per_day) + parts + paint,
    formula: `ceil(${(tenths / 10).toFixed(1)} h / ${hours_per_day}) + ${parts} parts + ${paint} refinish`,
  };
}

/** Clamps days to the contract's range for a repair type. */
function clampDays(days: number, repairType: RepairType, { tables }: PricingContext) {
  const [low = 1, high = 28] =
    tables.value.timeline_clamp.find((row) => row.repair_type === repairType)?.days ?? [];
  return { days: Math.min(high, Math.max(low, days)), limits: `within ${low} to ${high}` };
}

/** Computes the working days of one repair. */
export function computeTimeline(option: PricedOption, ctx: PricingContext) {
  const { repairType } = option.plan;
  const work = countDays([option], option.hoursTenths, ctx);
  const { days, limits } = clampDays(work.days, repairType, ctx);
  return { days, formula: `${work.formula}, ${limits} (${repairType}) = ${days}` };
}

/**
 * Computes the working days of the whole vehicle. Structural repairs come first, as one job. The other repairs run in
 * parallel and wait once for parts and paint. Never longer than the single repairs in sequence.
 */
export function computeVehicleTimeline(estimate: VehicleEstimate, ctx: PricingContext) {
  const isStructural = ({ option }: VehiclePanel) => option.plan.repairType === 'structural';
  const structural = estimate.panels.filter(isStructural);
  const others = estimate.panels.filter((panel) => !isStructural(panel));
  const [first] = estimate.panels;
  if (first === undefined) throw new Error('a vehicle without damages');
  if (estimate.panels.length === 1) return { ...computeTimeline(first.option, ctx), simultaneous: false };
  const countSingle = ({ option }: VehiclePanel) => computeTimeline(option, ctx).days;
  const sum = sumBy(estimate.panels, countSingle);
  const combine = (of: readonly VehiclePanel[]) => {
    const panelTenths = sumBy(
      of,
      ({ option, work }) => option.refinishTenths + sumBy(work, (line) => line.hoursTenths),
    );
    const tenths = structural.length === 0 ? estimate.hoursTenths : panelTenths;
    const options = of.map(({ option }) => option);
    return { ...countDays(options, tenths, ctx), longest: Math.max(0, ...of.map(countSingle)) };
  };
  const remaining = combine(others);
  const remainingDays = remaining.longest === 0 ? 0 : Math.max(remaining.longest, remaining.days);
  if (structural.length === 0) {
    const days = Math.min(sum, remainingDays);
    return {
      days,
      simultaneous: true,
      formula: `${remaining.formula}, at least the longest repair (${remaining.longest}), at most their sum (${sum}) = ${days}`,
    };
  }
  const work = combine(structural);
  const bench = clampDays(work.days, 'structural', ctx);
  const days = Math.min(sum, bench.days + remainingDays);
  return {
    days,
    simultaneous: false,
    formula: `structural work first, ${work.formula} ${bench.limits} = ${bench.days}, then the rest: ${remainingDays}, at most their sum (${sum}) = ${days}`,
  };
}
