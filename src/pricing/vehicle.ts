import { DEPARTMENTS, type Department, type PricingContext, type Spread } from './context.ts';
import { type Item, type PanelRepair, panelRepairs } from './panel-repair.ts';
import type { Line, PlanPart } from './plan.ts';
import { departmentTenths, labourMinor, type PricedOption, paintLines, partsSpread } from './price.ts';
import { oneStructuralProcedure } from './structural.ts';

/** A panel's repair as part of the vehicle's. */
export interface VehiclePanel extends PanelRepair {
  /** Lines other than refinish, as they count for the vehicle. */
  readonly work: readonly Line[];
}

export const ADJUSTMENTS = [
  'one_repair_per_panel',
  'blend_of_painted_panels',
  'refinish_overlap',
  'clear_coat_across_panels',
  'one_structural_procedure',
  'rounding',
] as const;
export type AdjustmentCode = (typeof ADJUSTMENTS)[number];

/** What the vehicle's repair differs by from the sum of single repairs; negative = a saving. Minor units. */
export interface Adjustment {
  readonly code: AdjustmentCode;
  readonly hoursTenths: number;
  readonly amount: Spread;
}

export interface DepartmentTotal {
  readonly department: Department | 'parts' | 'materials';
  readonly hoursTenths: number;
  readonly rateMinor: number | null;
  readonly totalMinor: number;
}

/** The estimate of the whole vehicle, minor units. */
export interface VehicleEstimate {
  readonly panels: readonly VehiclePanel[];
  /** Refinish worked out across panels. */
  readonly refinish: readonly Line[];
  /** Parts and consumables other than paint materials. */
  readonly parts: readonly PlanPart[];
  readonly recommended: Spread;
  readonly adjustments: readonly Adjustment[];
  readonly adjusted: Spread;
  readonly hoursTenths: number;
  readonly refinishTenths: number;
  readonly departments: readonly DepartmentTotal[];
}

const ENDS = ['min', 'est', 'max'] as const;
const spread = (of: (end: keyof Spread) => number): Spread => ({
  min: of('min'),
  est: of('est'),
  max: of('max'),
});
const sumTotals = (options: readonly PricedOption[]) =>
  spread((end) => options.reduce((sum, option) => sum + option.total[end], 0));
const hoursOf = (options: readonly PricedOption[]) =>
  options.reduce((sum, option) => sum + option.hoursTenths, 0);

const isMaterials = (part: PlanPart, ctx: PricingContext) =>
  part.part === ctx.tables.operations.materials.consumable;
const isPaint = (line: Line) =>
  line.operation === 'Refn' ||
  line.operation === 'Clear' ||
  line.operation === '3-stg' ||
  line.operation === 'Blnd';

/**
 * The repair of the whole vehicle: each target once, refinish as one procedure, structural work as one. What this differs
 * by from the sum of the damages' own repairs stands in `adjustments`, so that both sums hold to the minor unit.
 * The order of the items does not matter.
 */
export function estimateVehicle(items: readonly Item[], ctx: PricingContext): VehicleEstimate {
  const panels = panelRepairs(items, ctx);
  const options = panels.map((panel) => panel.option);
  const workOf = oneStructuralProcedure(
    options.map((option) => option.lines.filter((line) => !isPaint(line))),
  );
  const refinish = paintLines(
    options.flatMap((option) => option.plan.refinish),
    options.flatMap((option) => option.plan.blends),
    ctx,
  );
  const lines = [...workOf.flat(), ...refinish];
  const parts = options.flatMap((option) => option.parts.filter((part) => !isMaterials(part, ctx)));
  const departments = departmentTotals(lines, parts, options, ctx);
  const adjusted = totalOf(lines, departments, ctx);
  const chosen = items.map((item) => item.chosen);
  return {
    panels: panels.map((panel, i) => ({ ...panel, work: workOf[i] ?? [] })),
    refinish,
    parts,
    recommended: sumTotals(chosen),
    adjustments: adjustmentsOf(chosen, options, lines, adjusted, ctx),
    adjusted,
    hoursTenths: lines.reduce((sum, line) => sum + line.hoursTenths, 0),
    refinishTenths: departmentTenths(lines, 'refinish'),
    departments: departments.filter((row) => row.totalMinor !== 0 || row.hoursTenths !== 0),
  };
}

/** Labour by department, then parts, then paint materials. */
function departmentTotals(
  lines: readonly Line[],
  parts: readonly PlanPart[],
  options: readonly PricedOption[],
  ctx: PricingContext,
): readonly DepartmentTotal[] {
  const refinishTenths = departmentTenths(lines, 'refinish');
  const overridden = options.reduce((sum, option) => sum + materialsDifference(option, ctx), 0);
  return [
    ...DEPARTMENTS.map((department) => {
      const hoursTenths = departmentTenths(lines, department);
      const rateMinor = ctx.rates[department].est;
      return { department, hoursTenths, rateMinor, totalMinor: labourMinor(hoursTenths, rateMinor) };
    }),
    {
      department: 'parts' as const,
      hoursTenths: 0,
      rateMinor: null,
      totalMinor: parts.reduce((sum, part) => sum + part.priceMinor, 0),
    },
    {
      department: 'materials' as const,
      hoursTenths: refinishTenths,
      rateMinor: ctx.materials.est,
      totalMinor: Math.max(0, labourMinor(refinishTenths, ctx.materials.est) + overridden),
    },
  ];
}

/** What the vehicle's repair costs: goods with their range, labour at each end of its rate. */
function totalOf(
  lines: readonly Line[],
  departments: readonly DepartmentTotal[],
  ctx: PricingContext,
): Spread {
  const bought = departments.filter(({ department }) => department === 'parts' || department === 'materials');
  const goods = partsSpread(
    bought.reduce((sum, row) => sum + row.totalMinor, 0),
    ctx,
  );
  return spread((end) =>
    DEPARTMENTS.reduce(
      (sum, name) => sum + labourMinor(departmentTenths(lines, name), ctx.rates[name][end]),
      goods[end],
    ),
  );
}

/** The steps from the sum of single repairs (`chosen`) over one repair per panel to the whole vehicle's. */
function adjustmentsOf(
  chosen: readonly PricedOption[],
  perPanel: readonly PricedOption[],
  lines: readonly Line[],
  adjusted: Spread,
  ctx: PricingContext,
): readonly Adjustment[] {
  const [recommended, merged] = [sumTotals(chosen), sumTotals(perPanel)];
  const single = perPanel.flatMap((option) => option.lines);
  const hoursIn = (of: readonly Line[], operations: readonly Line['operation'][]) =>
    of.reduce((sum, line) => (operations.includes(line.operation) ? sum + line.hoursTenths : sum), 0);
  const change = (
    code: AdjustmentCode,
    department: Department,
    operations: readonly Line['operation'][],
  ): Adjustment => {
    const hoursTenths = hoursIn(lines, operations) - hoursIn(single, operations);
    return { code, hoursTenths, amount: changeOf(hoursTenths, department, ctx) };
  };
  const steps: readonly Adjustment[] = [
    {
      code: 'one_repair_per_panel',
      hoursTenths: hoursOf(perPanel) - hoursOf(chosen),
      amount: spread((end) => merged[end] - recommended[end]),
    },
    change('blend_of_painted_panels', 'refinish', ['Blnd']),
    change('refinish_overlap', 'refinish', ['Refn']),
    change('clear_coat_across_panels', 'refinish', ['Clear', '3-stg']),
    change('one_structural_procedure', 'structural', ['Setup', 'Pull']),
  ];
  const residue = spread(
    (end) => adjusted[end] - recommended[end] - steps.reduce((sum, step) => sum + step.amount[end], 0),
  );
  return [...steps, { code: 'rounding' as const, hoursTenths: 0, amount: residue }].filter(
    (step) => step.hoursTenths !== 0 || ENDS.some((end) => step.amount[end] !== 0),
  );
}

/** Money of a change in hours of a department; refinish hours bring their materials. */
function changeOf(hoursTenths: number, department: Department, ctx: PricingContext): Spread {
  const materials =
    department === 'refinish'
      ? partsSpread(labourMinor(hoursTenths, ctx.materials.est), ctx)
      : { min: 0, est: 0, max: 0 };
  return spread((end) => labourMinor(hoursTenths, ctx.rates[department][end]) + materials[end]);
}

/** What an adjuster's price took off, or put on, the paint materials of an option. */
function materialsDifference(option: PricedOption, ctx: PricingContext): number {
  const listed = option.parts
    .filter((part) => isMaterials(part, ctx))
    .reduce((sum, part) => sum + part.priceMinor, 0);
  const due = labourMinor(
    option.lines.filter(isPaint).reduce((sum, line) => sum + line.hoursTenths, 0),
    ctx.materials.est,
  );
  return listed - due;
}
