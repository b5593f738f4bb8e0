import type { RepairType } from '../../domain/repair.ts';
import { sumBy } from '../../lib/lists.ts';
import { type EstimateLine, isCounted } from '../lines/line.ts';
import type { PanelInJob } from '../lines/vehicle-lines.ts';
import { type PricedOption, sumRefinishTenths } from '../option/price.ts';
import { isBought } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { VehicleEstimate } from './estimate-vehicle.ts';
import { listJob } from './job.ts';

/** What edits change of a job's time: labor in tenths of an hour, and the need to wait; undefined if unchanged. */
interface TimeEdits {
  readonly tenths: number;
  readonly parts?: boolean | undefined;
  readonly paint?: boolean | undefined;
}

type Panels = readonly PanelInJob[];
const getOptions = (panels: Panels) => panels.map(({ option }) => option);

const countLaborDays = (tenths: number, { tables }: PricingContext) =>
  Math.ceil(Math.max(0, tenths) / 10 / tables.value.timeline.hours_per_day);

/** Counts working days: labor hours by hours per day, rounded up, plus one wait each for parts and paint. */
function countDays(options: readonly PricedOption[], tenths: number, edits: TimeEdits, ctx: PricingContext) {
  const { hours_per_day, parts_days, refinish_days } = ctx.tables.value.timeline;
  const usualParts = options.some(({ parts: needed }) => needed.some(isBought)) ? parts_days : 0;
  const usualPaint = options.some(({ refinishTenths }) => refinishTenths > 0) ? refinish_days : 0;
  const parts = edits.parts === undefined ? usualParts : Number(edits.parts) * parts_days;
  const paint = edits.paint === undefined ? usualPaint : Number(edits.paint) * refinish_days;
  const formula = `ceil(${(tenths / 10).toFixed(1)} h / ${hours_per_day}) + ${parts} parts + ${paint} refinish`;
  const added = Math.max(0, parts - usualParts) + Math.max(0, paint - usualPaint);
  return { days: countLaborDays(tenths, ctx) + parts + paint, parts, paint, added, formula };
}

/** Clamps days to the contract's range for a repair type; the days that edits add raise its upper limit. */
function clampDays(days: number, repairType: RepairType, addedDays: number, ctx: PricingContext) {
  const [low = 1, high = 28] =
    ctx.tables.value.timeline_clamp.find((row) => row.repair_type === repairType)?.days ?? [];
  const maxDays = high + addedDays;
  return { days: Math.min(maxDays, Math.max(low, days)), limits: `within ${low} to ${maxDays}` };
}

/** Computes the working days of one repair. */
export function computeTimeline(option: PricedOption, ctx: PricingContext, edits: TimeEdits = { tenths: 0 }) {
  const { repairType } = option.plan;
  const work = countDays([option], option.hoursTenths + edits.tenths, edits, ctx);
  const addedDays = countLaborDays(edits.tenths, ctx) + work.added;
  const { days, limits } = clampDays(work.days, repairType, addedDays, ctx);
  return { days, formula: `${work.formula}, ${limits} (${repairType}) = ${days}` };
}

/** Computes the working days of the vehicle, at most those of its repairs in sequence; one without a line takes none. */
export function computeVehicleTimeline(estimate: VehicleEstimate, ctx: PricingContext) {
  const counted = estimate.lines.filter(isCounted);
  const work = counted.filter((line) => line.group === 'part' && line.hoursTenths + line.amountMinor > 0);
  const repaired = new Set(work.flatMap((line) => line.damageIds));
  const panels = estimate.panels.filter((panel) => panel.damageIds.some((id) => repaired.has(id)));
  const edits = findTimeEdits(counted, listJob(panels, ctx).lines.filter(isCounted));
  const [first, ...others] = panels;
  if (first === undefined) {
    const added = countDays([], edits.tenths, edits, ctx);
    const days = Math.max(1, added.days);
    return { days, formula: `${added.formula}, at least 1 = ${days}`, simultaneous: false };
  }
  if (others.length === 0) return { ...computeTimeline(first.option, ctx, edits), simultaneous: false };
  const singles = panels.map(({ option }) => computeTimeline(option, ctx, { ...edits, tenths: 0 }));
  const maxDays = sumBy(singles, ({ days }) => days) + countLaborDays(edits.tenths, ctx);
  if (panels.some(isStructural)) return timeStructuralFirst(panels, edits, maxDays, ctx);
  const parallel = countParallelDays(panels, estimate.hoursTenths, edits, ctx);
  const days = Math.min(maxDays, parallel.days);
  return {
    days,
    simultaneous: true,
    formula: `${parallel.formula}, at least the longest repair (${parallel.longest}), at most their sum (${maxDays}) = ${days}`,
  };
}

/** Compares the counted lines after edits with those of the same repairs without. */
function findTimeEdits(counted: readonly EstimateLine[], unedited: readonly EstimateLine[]): TimeEdits {
  const compare = (read: (lines: readonly EstimateLine[]) => boolean) =>
    read(counted) === read(unedited) ? undefined : read(counted);
  return {
    tenths: sumBy(counted, (line) => line.hoursTenths) - sumBy(unedited, (line) => line.hoursTenths),
    parts: compare((lines) => lines.some(({ taxClass }) => taxClass === 'parts')),
    paint: compare((lines) => sumRefinishTenths(lines) > 0),
  };
}

const isStructural = ({ option }: PanelInJob) => option.plan.repairType === 'structural';

/**
 * Times the structural repairs as one job, then the others in parallel, without the waits for parts and paint that the
 * structural repairs already had. Edits count as work on the others, if there are any.
 */
function timeStructuralFirst(all: Panels, edits: TimeEdits, maxDays: number, ctx: PricingContext) {
  const structural = all.filter(isStructural);
  const others = all.filter((panel) => !isStructural(panel));
  const tenths = others.length === 0 ? 0 : Math.max(0, sumTenths(others) + edits.tenths);
  const structuralTenths = sumTenths(all) + edits.tenths - tenths;
  const work = countDays(getOptions(structural), structuralTenths, edits, ctx);
  const addedDays = countLaborDays(structuralTenths - sumTenths(structural), ctx) + work.added;
  const first = clampDays(work.days, 'structural', addedDays, ctx);
  const rest = others.length === 0 ? undefined : countParallelDays(others, tenths, edits, ctx);
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
function countParallelDays(panels: Panels, tenths: number, edits: TimeEdits, ctx: PricingContext) {
  const work = countDays(getOptions(panels), tenths, edits, ctx);
  const less = { ...edits, tenths: Math.min(0, edits.tenths) };
  const longest = Math.max(...panels.map(({ option }) => computeTimeline(option, ctx, less).days));
  return { ...work, days: Math.max(longest, work.days), longest };
}

/** Sums the panels' own labor, in tenths of an hour. */
const sumTenths = (panels: Panels) =>
  sumBy(panels, ({ option, work }) => option.refinishTenths + sumBy(work, (line) => line.hoursTenths));
