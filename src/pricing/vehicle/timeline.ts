import type { RepairType } from '../../domain/repair.ts';
import { sumBy } from '../../lib/lists.ts';
import { isCounted } from '../lines/line.ts';
import type { PanelInJob } from '../lines/vehicle-lines.ts';
import { type PricedOption, sumDepartmentTenths } from '../option/price.ts';
import { isBought } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { VehicleEstimate } from './estimate-vehicle.ts';

const countLaborDays = (tenths: number, { tables }: PricingContext) =>
  Math.ceil(Math.max(0, tenths) / 10 / tables.value.timeline.hours_per_day);

/** Counts working days: labor hours by hours per day, rounded up, plus one wait each for parts and paint. */
function countDays(panels: readonly Pick<PanelInJob, 'option'>[], tenths: number, ctx: PricingContext) {
  const { hours_per_day, parts_days, refinish_days } = ctx.tables.value.timeline;
  const parts = panels.some(({ option }) => option.parts.some(isBought)) ? parts_days : 0;
  const paint = panels.some(({ option }) => option.refinishTenths > 0) ? refinish_days : 0;
  const formula = `ceil(${(tenths / 10).toFixed(1)} h / ${hours_per_day}) + ${parts} parts + ${paint} refinish`;
  return { days: countLaborDays(tenths, ctx) + parts + paint, parts, paint, formula };
}

/** Clamps days to the contract's range for a repair type; labor that a user adds raises its upper limit. */
function clampDays(days: number, repairType: RepairType, edited: number, ctx: PricingContext) {
  const [low = 1, high = 28] =
    ctx.tables.value.timeline_clamp.find((row) => row.repair_type === repairType)?.days ?? [];
  const maxDays = high + countLaborDays(edited, ctx);
  return { days: Math.min(maxDays, Math.max(low, days)), limits: `within ${low} to ${maxDays}` };
}

/** Computes the working days of one repair; `edited` is the labor that edits add or remove, in tenths of an hour. */
export function computeTimeline(option: PricedOption, ctx: PricingContext, edited = 0) {
  const { repairType } = option.plan;
  const work = countDays([{ option }], option.hoursTenths + edited, ctx);
  const { days, limits } = clampDays(work.days, repairType, edited, ctx);
  return { days, formula: `${work.formula}, ${limits} (${repairType}) = ${days}` };
}

/** Computes the working days of the whole vehicle, never longer than the single repairs in sequence. */
export function computeVehicleTimeline(estimate: VehicleEstimate, unedited: PricingContext) {
  const { panels, hoursTenths, adjustments, lines } = estimate;
  const ctx = dropWaits(lines.filter(isCounted), unedited);
  const [first] = panels;
  if (first === undefined) throw new Error('a vehicle without damages');
  const edited = adjustments.find(({ code }) => code === 'line_edits')?.hoursTenths ?? 0;
  if (panels.length === 1) return { ...computeTimeline(first.option, ctx, edited), simultaneous: false };
  const singleDays = sumBy(panels, ({ option }) => computeTimeline(option, ctx).days);
  const maxDays = singleDays + countLaborDays(edited, ctx);
  if (panels.some(isStructural)) return timeStructuralFirst(panels, edited, maxDays, ctx);
  const work = countParallelDays(panels, hoursTenths, edited, ctx);
  const days = Math.min(maxDays, work.days);
  return {
    days,
    simultaneous: true,
    formula: `${work.formula}, at least the longest repair (${work.longest}), at most their sum (${maxDays}) = ${days}`,
  };
}

/** Returns the context without the days of waiting for parts or paint that no counted line needs after edits. */
function dropWaits(counted: VehicleEstimate['lines'], ctx: PricingContext): PricingContext {
  const { value } = ctx.tables;
  const timeline = { ...value.timeline };
  if (counted.every(({ taxClass }) => taxClass !== 'parts')) timeline.parts_days = 0;
  if (sumDepartmentTenths(counted, 'refinish') === 0) timeline.refinish_days = 0;
  return { ...ctx, tables: { ...ctx.tables, value: { ...value, timeline } } };
}

type Panels = readonly PanelInJob[];
const isStructural = ({ option }: PanelInJob) => option.plan.repairType === 'structural';

/**
 * Times the structural repairs as one job, and then the others in parallel, which need not wait again for what the
 * structural ones waited for. Edits count as work on the others, if there are any.
 */
function timeStructuralFirst(all: Panels, edited: number, maxDays: number, ctx: PricingContext) {
  const structural = all.filter(isStructural);
  const others = all.filter((panel) => !isStructural(panel));
  const tenths = others.length === 0 ? 0 : Math.max(0, sumTenths(others) + edited);
  const structuralTenths = sumTenths(all) + edited - tenths;
  const work = countDays(structural, structuralTenths, ctx);
  const first = clampDays(work.days, 'structural', structuralTenths - sumTenths(structural), ctx);
  const rest = others.length === 0 ? undefined : countParallelDays(others, tenths, edited, ctx);
  const waited = Math.min(rest?.parts ?? 0, work.parts) + Math.min(rest?.paint ?? 0, work.paint);
  const remaining = (rest?.days ?? 0) - waited;
  const days = Math.min(maxDays, first.days + remaining);
  return {
    days,
    simultaneous: false,
    formula: `structural work first, ${work.formula} ${first.limits} = ${first.days}, then the rest: ${remaining}, at most their sum (${maxDays}) = ${days}`,
  };
}

/** Counts the days of repairs in parallel: at least those of the longest, less what edits remove. */
function countParallelDays(panels: Panels, tenths: number, edited: number, ctx: PricingContext) {
  const work = countDays(panels, tenths, ctx);
  const removed = Math.min(0, edited);
  const longest = Math.max(...panels.map(({ option }) => computeTimeline(option, ctx, removed).days));
  return { ...work, days: Math.max(longest, work.days), longest };
}

/** Sums the panels' own labor, in tenths of an hour. */
const sumTenths = (panels: Panels) =>
  sumBy(panels, ({ option, work }) => option.refinishTenths + sumBy(work, (line) => line.hoursTenths));
