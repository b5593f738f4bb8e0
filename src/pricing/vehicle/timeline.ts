import type { RepairType } from '../../domain/repair.ts';
import { sumBy } from '../../lib/lists.ts';
import type { PanelInJob } from '../lines/vehicle-lines.ts';
import type { PricedOption } from '../option/price.ts';
import { isBought } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { VehicleEstimate } from './estimate-vehicle.ts';

/** Counts working days: labor hours by hours per day, rounded up, plus one wait each for parts and paint. */
function countDays(options: readonly PricedOption[], tenths: number, { tables }: PricingContext) {
  const { hours_per_day, parts_days, refinish_days } = tables.value.timeline;
  const parts = options.some((option) => option.parts.some(isBought)) ? parts_days : 0;
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

/** Computes the working days of the whole vehicle, never longer than the single repairs in sequence. */
export function computeVehicleTimeline({ panels, hoursTenths }: VehicleEstimate, ctx: PricingContext) {
  const [first] = panels;
  if (first === undefined) throw new Error('a vehicle without damages');
  if (panels.length === 1) return { ...computeTimeline(first.option, ctx), simultaneous: false };
  const inSequence = sumBy(panels, ({ option }) => computeTimeline(option, ctx).days);
  return panels.some(isStructural)
    ? timeStructuralFirst(panels, inSequence, ctx)
    : timeParallel(panels, hoursTenths, inSequence, ctx);
}

const isStructural = ({ option }: PanelInJob) => option.plan.repairType === 'structural';

/** Times repairs that run in parallel and wait once for parts and paint; `most` is their days in sequence. */
function timeParallel(panels: readonly PanelInJob[], tenths: number, most: number, ctx: PricingContext) {
  const work = countParallelDays(panels, tenths, ctx);
  const days = Math.min(most, work.days);
  return {
    days,
    simultaneous: true,
    formula: `${work.formula}, at least the longest repair (${work.longest}), at most their sum (${most}) = ${days}`,
  };
}

/** Times the structural repairs as one job, and then the others in parallel. */
function timeStructuralFirst(panels: readonly PanelInJob[], most: number, ctx: PricingContext) {
  const structural = panels.filter(isStructural);
  const others = panels.filter((panel) => !isStructural(panel));
  const work = countDays(listOptions(structural), sumTenths(structural), ctx);
  const bench = clampDays(work.days, 'structural', ctx);
  const remaining = others.length === 0 ? 0 : countParallelDays(others, sumTenths(others), ctx).days;
  const days = Math.min(most, bench.days + remaining);
  return {
    days,
    simultaneous: false,
    formula: `structural work first, ${work.formula} ${bench.limits} = ${bench.days}, then the rest: ${remaining}, at most their sum (${most}) = ${days}`,
  };
}

/** Counts the days of repairs in parallel: at least those of the longest. */
function countParallelDays(panels: readonly PanelInJob[], tenths: number, ctx: PricingContext) {
  const { days, formula } = countDays(listOptions(panels), tenths, ctx);
  const longest = Math.max(...panels.map(({ option }) => computeTimeline(option, ctx).days));
  return { days: Math.max(longest, days), longest, formula };
}

const listOptions = (panels: readonly PanelInJob[]) => panels.map(({ option }) => option);

/** Sums the panels' own labor, in tenths of an hour. */
const sumTenths = (panels: readonly PanelInJob[]) =>
  sumBy(panels, ({ option, work }) => option.refinishTenths + sumBy(work, (line) => line.hoursTenths));
