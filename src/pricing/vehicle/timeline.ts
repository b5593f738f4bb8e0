import type { PricedOption } from '../option/price.ts';
import type { Line } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { VehicleEstimate } from './vehicle.ts';

/** Working days with the formula they come from. */
export interface Timeline {
  readonly days: number;
  readonly formula: string;
}

const formatHours = (tenths: number) => (tenths / 10).toFixed(1);
const sumTenths = (lines: readonly Line[]) => lines.reduce((sum, line) => sum + line.hoursTenths, 0);
const isStructural = (option: PricedOption) => option.plan.repairType === 'structural';
const toOrder = (option: PricedOption) =>
  option.parts.some((part) => part.type !== 'consumable' && part.type !== 'sublet');

/**
 * Returns the days of one repair: ceil(hours / 4) + 2 where parts are ordered + 1 where paint dries, inside the
 * contract's band of the repair type.
 */
export function computeTimeline(option: PricedOption, ctx: PricingContext): Timeline {
  const { timeline, timeline_clamp } = ctx.tables.value;
  const work = Math.ceil(option.hoursTenths / 10 / timeline.hours_per_day);
  const parts = toOrder(option) ? timeline.parts_days : 0;
  const paint = option.refinishTenths > 0 ? timeline.refinish_days : 0;
  const { repairType } = option.plan;
  const [low = 1, high = 28] = timeline_clamp.find((row) => row.repair_type === repairType)?.days ?? [];
  const days = Math.min(high, Math.max(low, work + parts + paint));
  return {
    days,
    formula: `ceil(${formatHours(option.hoursTenths)} h / ${timeline.hours_per_day}) + ${parts} parts + ${paint} refinish, within ${low} to ${high} (${repairType}) = ${days}`,
  };
}

export interface VehicleTimeline extends Timeline {
  readonly simultaneous: boolean;
}

/**
 * Returns the days for the whole vehicle. Structural work comes first, as one job; the other repairs go on in parallel
 * and wait for parts and paint once. Never longer than the single repairs one after another.
 */
export function computeVehicleTimeline(estimate: VehicleEstimate, ctx: PricingContext): VehicleTimeline {
  const { timeline, timeline_clamp } = ctx.tables.value;
  const options = estimate.panels.map((panel) => panel.option);
  const [first, ...others] = options;
  if (first === undefined) throw new Error('a vehicle without damages');
  if (others.length === 0) return { ...computeTimeline(first, ctx), simultaneous: false };
  const sum = options.reduce((total, option) => total + computeTimeline(option, ctx).days, 0);
  const sumHours = (structural: boolean) =>
    estimate.panels
      .filter((panel) => isStructural(panel.option) === structural)
      .reduce((total, { option, work }) => total + option.refinishTenths + sumTenths(work), 0);
  const job = (of: readonly PricedOption[], hours: number) => {
    const parts = of.some(toOrder) ? timeline.parts_days : 0;
    const paint = of.some((option) => option.refinishTenths > 0) ? timeline.refinish_days : 0;
    const days = Math.ceil(hours / 10 / timeline.hours_per_day) + parts + paint;
    const formula = `ceil(${formatHours(hours)} h / ${timeline.hours_per_day}) + ${parts} parts + ${paint} refinish`;
    return { days, formula, longest: Math.max(0, ...of.map((option) => computeTimeline(option, ctx).days)) };
  };
  const structural = options.filter(isStructural);
  const rest = job(
    options.filter((option) => !isStructural(option)),
    structural.length === 0 ? estimate.hoursTenths : sumHours(false),
  );
  const restDays = rest.longest === 0 ? 0 : Math.max(rest.longest, rest.days);
  if (structural.length === 0) {
    const days = Math.min(sum, restDays);
    return {
      days,
      simultaneous: true,
      formula: `${rest.formula}, at least the longest repair (${rest.longest}), at most their sum (${sum}) = ${days}`,
    };
  }
  const [low = 7, high = 28] = timeline_clamp.find((row) => row.repair_type === 'structural')?.days ?? [];
  const bench = job(structural, sumHours(true));
  const benchDays = Math.min(high, Math.max(low, bench.days));
  const days = Math.min(sum, benchDays + restDays);
  return {
    days,
    simultaneous: false,
    formula: `structural work first, ${bench.formula} within ${low} to ${high} = ${benchDays}, then the rest: ${restDays}, at most their sum (${sum}) = ${days}`,
  };
}
