import { DEPARTMENTS, type Department, type PricingContext, type Spread } from './context.ts';
import type { PricingDamage } from './damage.ts';
import { type FigureOverride, overrideFigures } from './override.ts';
import type { Line, PlanPart } from './plan.ts';
import { departmentTenths, labourMinor, type PricedOption, paintLines, partsSpread } from './price.ts';
import { type Options, optionsFor } from './recommend.ts';
import type { Target } from './target.ts';

/** One damage with its options and the option that counts. */
export interface Item {
  readonly id: string;
  readonly damage: PricingDamage;
  readonly options: Options;
  readonly chosen: PricedOption;
  /** An option an adjuster named. */
  readonly prefer?: string | undefined;
  /** Figures an adjuster named, as differences to the chosen option. */
  readonly figures?: FigureOverride | undefined;
}

/** One repair of one target over all its damages. */
export interface PanelRepair {
  readonly target: Target;
  readonly ids: readonly string[];
  /** The repair on its own. */
  readonly option: PricedOption;
}

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

/** Damages of one target as one repair; an adjuster's option, hours and price carry over. */
function panelOf(items: readonly Item[], ctx: PricingContext): PanelRepair {
  const [first] = items;
  if (first === undefined) throw new Error('a panel without damages');
  const { target } = first.options;
  const ids = items.map((item) => item.id).sort();
  if (items.length === 1) return { target, ids, option: first.chosen };
  const prefer = items.map((item) => item.prefer).filter((name) => name !== undefined);
  const together = optionsFor(
    items.map((item) => item.damage),
    target,
    ctx,
    prefer.sort()[0],
  ).recommended;
  const hours = items.reduce((sum, item) => sum + differenceOf(item).hoursTenths, 0);
  const parts = items.reduce((sum, item) => sum + differenceOf(item).partsMinor, 0);
  if (hours === 0 && parts === 0) return { target, ids, option: together };
  const figures = {
    hoursTenths: Math.max(0, together.hoursTenths + hours),
    partsMinor: Math.max(0, together.partsCost.est + parts),
  };
  return { target, ids, option: overrideFigures(together, target.name, figures, ctx) };
}

function differenceOf(item: Item): { hoursTenths: number; partsMinor: number } {
  if (item.figures === undefined) return { hoursTenths: 0, partsMinor: 0 };
  const computed = item.options.recommended;
  return {
    hoursTenths: item.figures.hoursTenths === undefined ? 0 : item.figures.hoursTenths - computed.hoursTenths,
    partsMinor: item.figures.partsMinor === undefined ? 0 : item.figures.partsMinor - computed.partsCost.est,
  };
}

const isMaterials = (part: PlanPart, ctx: PricingContext) =>
  part.part === ctx.tables.operations.materials.consumable;
const isPaint = (line: Line) =>
  line.operation === 'Refn' ||
  line.operation === 'Clear' ||
  line.operation === '3-stg' ||
  line.operation === 'Blnd';

/**
 * Structural work of all panels is one procedure: one set-up on the bench, the longest pull in full and each other
 * at half, rounded up. Lines per panel in, lines per panel out.
 */
function oneStructuralProcedure(panels: readonly (readonly Line[])[]): Line[][] {
  const longest = (operation: Line['operation']) =>
    panels
      .flat()
      .filter((line) => line.operation === operation)
      .reduce<Line | undefined>(
        (best, line) => (best === undefined || line.hoursTenths > best.hoursTenths ? line : best),
        undefined,
      );
  const setup = longest('Setup');
  const pull = longest('Pull');
  return panels.map((lines) =>
    lines
      .filter((line) => line.operation !== 'Setup' || line === setup)
      .map((line) =>
        line.operation !== 'Pull' || line === pull
          ? line
          : {
              ...line,
              hoursTenths: Math.ceil(line.hoursTenths / 2),
              note: `${line.note}, at half beside the longest`,
            },
      ),
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

/**
 * The repair of the whole vehicle: each target once, refinish as one procedure, structural work as one. What this differs
 * by from the sum of the damages' own repairs stands in `adjustments`, so that both sums hold to the minor unit.
 * The order of the items does not matter.
 */
export function estimateVehicle(items: readonly Item[], ctx: PricingContext): VehicleEstimate {
  const groups = new Map<string, Item[]>();
  for (const item of [...items].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const key = item.options.target.key;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  const panels = [...groups.keys()].sort().map((key) => panelOf(groups.get(key) ?? [], ctx));
  const options = panels.map((panel) => panel.option);

  const single = options.flatMap((option) => option.lines);
  const workOf = oneStructuralProcedure(
    options.map((option) => option.lines.filter((line) => !isPaint(line))),
  );
  const work = workOf.flat();
  const refinish = paintLines(
    options.flatMap((option) => option.plan.refinish),
    options.flatMap((option) => option.plan.blends),
    ctx,
  );
  const lines = [...work, ...refinish];
  const parts = options.flatMap((option) => option.parts.filter((part) => !isMaterials(part, ctx)));
  const refinishTenths = departmentTenths(lines, 'refinish');
  const materialsOverridden = options.reduce((sum, option) => sum + materialsDifference(option, ctx), 0);
  const materialsMinor = Math.max(0, labourMinor(refinishTenths, ctx.materials.est) + materialsOverridden);

  const departments: DepartmentTotal[] = [
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
      totalMinor: materialsMinor,
    },
  ];
  const goods = partsSpread(
    departments.reduce(
      (sum, row) => (row.rateMinor === null || row.department === 'materials' ? sum + row.totalMinor : sum),
      0,
    ),
    ctx,
  );
  const adjusted = spread(
    (end) =>
      goods[end] +
      DEPARTMENTS.reduce(
        (sum, name) => sum + labourMinor(departmentTenths(lines, name), ctx.rates[name][end]),
        0,
      ),
  );

  const recommended = sumTotals(items.map((item) => item.chosen));
  const hoursOfOperation = (of: readonly Line[], operations: readonly Line['operation'][]) =>
    of.reduce((sum, line) => (operations.includes(line.operation) ? sum + line.hoursTenths : sum), 0);
  const change = (
    code: AdjustmentCode,
    department: Department,
    operations: readonly Line['operation'][],
  ): Adjustment => {
    const hoursTenths = hoursOfOperation(lines, operations) - hoursOfOperation(single, operations);
    return { code, hoursTenths, amount: changeOf(hoursTenths, department, ctx) };
  };
  const merged = sumTotals(options);
  const steps: Adjustment[] = [
    {
      code: 'one_repair_per_panel',
      hoursTenths: hoursOf(options) - hoursOf(items.map((item) => item.chosen)),
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
  steps.push({ code: 'rounding', hoursTenths: 0, amount: residue });
  return {
    panels: panels.map((panel, i) => ({ ...panel, work: workOf[i] ?? [] })),
    refinish,
    parts,
    recommended,
    adjustments: steps.filter((step) => step.hoursTenths !== 0 || ENDS.some((end) => step.amount[end] !== 0)),
    adjusted,
    hoursTenths: lines.reduce((sum, line) => sum + line.hoursTenths, 0),
    refinishTenths,
    departments: departments.filter((row) => row.totalMinor !== 0 || row.hoursTenths !== 0),
  };
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
