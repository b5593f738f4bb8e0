import type { PricingContext } from './context.ts';
import type { RepairType } from './plan.ts';
import type { PricedOption } from './price.ts';
import type { VehicleEstimate } from './vehicle.ts';

/** Working days with the formula they come from. */
export interface Timeline {
  readonly days: number;
  readonly formula: string;
}

const hoursText = (tenths: number) => (tenths / 10).toFixed(1);
const toOrder = (option: PricedOption) => option.parts.some((part) => part.type !== 'consumable');

/** ceil(hours / 4) + 2 where parts are ordered + 1 where paint dries, inside the contract's band of the repair type. */
export function timelineOf(option: PricedOption, ctx: PricingContext): Timeline {
  const { timeline, timeline_clamp } = ctx.tables.value;
  const work = Math.ceil(option.hoursTenths / 10 / timeline.hours_per_day);
  const parts = toOrder(option) ? timeline.parts_days : 0;
  const paint = option.refinishTenths > 0 ? timeline.refinish_days : 0;
  const { repairType } = option.plan;
  const [low = 1, high = 28] = timeline_clamp.find((row) => row.repair_type === repairType)?.days ?? [];
  const days = Math.min(high, Math.max(low, work + parts + paint));
  return {
    days,
    formula: `ceil(${hoursText(option.hoursTenths)} h / ${timeline.hours_per_day}) + ${parts} parts + ${paint} refinish, within ${low} to ${high} (${repairType}) = ${days}`,
  };
}

export interface VehicleTimeline extends Timeline {
  readonly simultaneous: boolean;
}

/**
 * Days for the whole vehicle. Work on several targets goes on side by side and waits for parts and paint once,
 * unless structural work must come first: then the days of the single repairs add up.
 */
export function vehicleTimeline(estimate: VehicleEstimate, ctx: PricingContext): VehicleTimeline {
  const { timeline } = ctx.tables.value;
  const options = estimate.panels.map((panel) => panel.option);
  const days = options.map((option) => timelineOf(option, ctx).days);
  const sum = days.reduce((total, one) => total + one, 0);
  const longest = Math.max(1, ...days);
  if (options.length <= 1) {
    const [only] = options;
    return {
      days: longest,
      simultaneous: false,
      formula: only === undefined ? '1' : timelineOf(only, ctx).formula,
    };
  }
  const structural: RepairType = 'structural';
  if (options.some((option) => option.plan.repairType === structural)) {
    return {
      days: sum,
      simultaneous: false,
      formula: `structural work first, then the rest: ${days.join(' + ')} = ${sum}`,
    };
  }
  const work = Math.ceil(estimate.hoursTenths / 10 / timeline.hours_per_day);
  const parts = options.some(toOrder) ? timeline.parts_days : 0;
  const paint = estimate.refinishTenths > 0 ? timeline.refinish_days : 0;
  const total = Math.min(sum, Math.max(longest, work + parts + paint));
  return {
    days: total,
    simultaneous: true,
    formula: `ceil(${hoursText(estimate.hoursTenths)} h / ${timeline.hours_per_day}) + ${parts} parts + ${paint} refinish, at least the longest repair (${longest}), at most their sum (${sum}) = ${total}`,
  };
}
