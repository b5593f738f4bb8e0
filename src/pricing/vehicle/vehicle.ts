import type { Department } from '../../domain/repair.ts';
import { editLines, type LineEdits } from '../lines/edit-lines.ts';
import { type EstimateLine, findMaterialsCap } from '../lines/line.ts';
import { type DepartmentTotal, type LineTotals, totalLines } from '../lines/line-totals.ts';
import { listVehicleLines } from '../lines/vehicle-lines.ts';
import { asMaterials, computeLabour, type PricedOption, sumParts } from '../option/price.ts';
import type { Line, PlanPart } from '../option/repair-plan.ts';
import { makeSpread, type PricingContext, type Spread } from '../pricing-context.ts';
import { type AssociatedLine, listAssociatedOperations } from './associated.ts';
import { weighExpected } from './first-bill.ts';
import type { Item } from './override.ts';
import { groupByPanel, type VehiclePanel } from './panel-repair.ts';
import { priceVehicle } from './vehicle-price.ts';
import { chooseWays } from './vehicle-ways.ts';

const ADJUSTMENTS = [
  'one_repair_per_panel',
  'way_chosen_for_vehicle',
  'blend_of_painted_panels',
  'refinish_overlap',
  'clear_coat_across_panels',
  'one_structural_procedure',
  'pdr_minimum_once',
  'associated_operations',
  'fees',
  'materials_cap',
  'line_edits',
  'rounding',
] as const;
export type AdjustmentCode = (typeof ADJUSTMENTS)[number];

/** What the vehicle's repair differs by from the sum of single repairs; negative = a saving. Minor units. */
export interface Adjustment {
  readonly code: AdjustmentCode;
  readonly hoursTenths: number;
  readonly amount: Spread;
}

/** The estimate of the whole vehicle, minor units. */
export interface VehicleEstimate {
  readonly panels: readonly VehiclePanel[];
  /** Refinish computed across panels. */
  readonly refinish: readonly Line[];
  /** Parts and consumables other than paint materials. */
  readonly parts: readonly PlanPart[];
  readonly recommended: Spread;
  readonly adjustments: readonly Adjustment[];
  readonly adjusted: Spread;
  readonly hoursTenths: number;
  readonly refinishTenths: number;
  readonly departments: readonly DepartmentTotal[];
  /** What a shop's first bill comes to: `adjusted` and, as far as such a job has them, the operations expected with it. */
  readonly firstBill: Spread;
  /** How much of the expected operations the first bill holds, 0 to 1. */
  readonly expectedWeight: number;
  /** Operations expected with the repair: in `firstBill` by their share of jobs, or in `adjusted` where that was asked. */
  readonly associated: readonly AssociatedLine[];
  /** The estimate with each expected operation by the share of jobs it stands on; undefined where none is expected. */
  readonly expectedMinor: number | undefined;
  /** The whole estimate as lines, with a person's changes; those that count add up to `adjusted.est`. */
  readonly lines: readonly EstimateLine[];
  /** Hours that a person's changes of lines add; negative = they take off. */
  readonly editedTenths: number;
}

const ENDS = ['min', 'est', 'max'] as const;
const sumTotals = (options: readonly PricedOption[]) =>
  makeSpread((end) => options.reduce((sum, option) => sum + option.total[end], 0));
const sumHours = (options: readonly PricedOption[]) =>
  options.reduce((sum, option) => sum + option.hoursTenths, 0);

/**
 * Returns the repair of the whole vehicle: each target once, refinish as one procedure, structural work as one. What
 * this differs by from the sum of the damages' own repairs is in `adjustments`, so that both sums hold to the minor
 * unit. The order of the items does not matter.
 */
export function estimateVehicle(
  items: readonly Item[],
  ctx: PricingContext,
  edits: LineEdits = NO_EDITS,
): VehicleEstimate {
  const panels = groupByPanel(items, ctx);
  const options = chooseWays(panels, ctx);
  const chosenPanels = panels.map((panel, i) => ({ ...panel, option: options[i] ?? panel.option }));
  const { work, refinish, parts } = priceVehicle(chosenPanels, ctx);
  const chosen = items.map((item) => item.chosen);
  const repaired = chosenPanels.map((panel, i) => ({ ...panel, work: work[i] ?? [] }));
  const associated = listAssociatedOperations(repaired, refinish, ctx);
  const computed = listVehicleLines({ panels: repaired, refinish, associated }, ctx);
  const weight = weighExpected(
    items.map(({ damage, options: { target } }) => ({ damage, target })),
    ctx,
  );
  const add = (lines: readonly EstimateLine[]) => totalLines(lines, weight, ctx);
  const alone = add(listVehicleLines({ panels: repaired, refinish, associated: [] }, ctx));
  const before = add(computed);
  const totals = isEmpty(edits) ? before : add(editLines(computed, edits, ctx));
  const editedTenths = totals.hoursTenths - before.hoursTenths;
  const between = (from: LineTotals, to: LineTotals) => makeSpread((end) => to.total[end] - from.total[end]);
  return {
    panels: repaired,
    refinish,
    parts,
    recommended: sumTotals(chosen),
    adjustments: listAdjustments(
      { chosen, perPanel: panels.map((panel) => panel.option), perVehicle: options },
      [...work.flat(), ...refinish],
      totals.total,
      [
        {
          code: 'associated_operations',
          hoursTenths: before.hoursTenths - alone.hoursTenths,
          amount: between(alone, before),
        },
        { code: 'fees', hoursTenths: 0, amount: makeSpread(() => listFees(alone.lines)) },
        { code: 'materials_cap', hoursTenths: 0, amount: computeCap(alone.refinishTenths, ctx) },
        { code: 'line_edits', hoursTenths: editedTenths, amount: between(before, totals) },
      ],
      ctx,
    ),
    adjusted: totals.total,
    firstBill: totals.firstBill,
    expectedWeight: weight,
    hoursTenths: totals.hoursTenths,
    refinishTenths: totals.refinishTenths,
    departments: totals.departments,
    associated,
    expectedMinor: totals.expectedMinor,
    lines: totals.lines,
    editedTenths,
  };
}

const listFees = (lines: readonly EstimateLine[]) =>
  lines.reduce((sum, line) => (line.group === 'fee' ? sum + line.goodsMinor : sum), 0);

/** Returns what the region's cap takes off the paint materials of this many hours. */
function computeCap(refinishTenths: number, ctx: PricingContext): Spread {
  const full = sumParts([asMaterials(computeLabour(refinishTenths, ctx.materials.est), ctx)], ctx);
  return makeSpread((end) => Math.min(0, findMaterialsCap(ctx) - full[end]));
}

const NO_EDITS: LineEdits = { changed: [], added: [] };
const isEmpty = ({ changed, added }: LineEdits) => changed.length + added.length === 0;

/** The ways of repair from which, step by step, the vehicle's comes. */
interface Steps {
  /** The recommended repair of each damage. */
  readonly chosen: readonly PricedOption[];
  /** Each panel's own choice over all its damages. */
  readonly perPanel: readonly PricedOption[];
  /** The choice over the vehicle. */
  readonly perVehicle: readonly PricedOption[];
}

/** Returns the steps from the sum of single repairs over one repair per panel to the whole vehicle's. */
function listAdjustments(
  { chosen, perPanel, perVehicle }: Steps,
  lines: readonly Line[],
  adjusted: Spread,
  further: readonly Adjustment[],
  ctx: PricingContext,
): readonly Adjustment[] {
  const recommended = sumTotals(chosen);
  const single = perVehicle.flatMap((option) => option.lines);
  const exchange = (
    code: AdjustmentCode,
    from: readonly PricedOption[],
    to: readonly PricedOption[],
  ): Adjustment => {
    const [before, after] = [sumTotals(from), sumTotals(to)];
    return {
      code,
      hoursTenths: sumHours(to) - sumHours(from),
      amount: makeSpread((end) => after[end] - before[end]),
    };
  };
  const hoursIn = (of: readonly Line[], operations: readonly Line['operation'][]) =>
    of.reduce((sum, line) => (operations.includes(line.operation) ? sum + line.hoursTenths : sum), 0);
  const change = (
    code: AdjustmentCode,
    department: Department,
    operations: readonly Line['operation'][],
  ): Adjustment => {
    const hoursTenths = hoursIn(lines, operations) - hoursIn(single, operations);
    return { code, hoursTenths, amount: priceChange(hoursTenths, department, ctx) };
  };
  const fixedIn = (of: readonly Line[]) => of.reduce((sum, line) => sum + (line.fixed?.minor ?? 0), 0);
  const minimumOnce = fixedIn(lines) - fixedIn(single);
  const steps: readonly Adjustment[] = [
    exchange('one_repair_per_panel', chosen, perPanel),
    exchange('way_chosen_for_vehicle', perPanel, perVehicle),
    change('blend_of_painted_panels', 'refinish', ['Blnd']),
    change('refinish_overlap', 'refinish', ['Refn']),
    change('clear_coat_across_panels', 'refinish', ['Clear', '3-stg']),
    change('one_structural_procedure', 'structural', ['Setup', 'Pull']),
    { code: 'pdr_minimum_once', hoursTenths: 0, amount: makeSpread(() => minimumOnce) },
    ...further,
  ];
  const residue = makeSpread(
    (end) => adjusted[end] - recommended[end] - steps.reduce((sum, step) => sum + step.amount[end], 0),
  );
  return [...steps, { code: 'rounding' as const, hoursTenths: 0, amount: residue }].filter(
    (step) => step.hoursTenths !== 0 || ENDS.some((end) => step.amount[end] !== 0),
  );
}

/** Returns the money of a change in hours of a department, minor units; refinish hours bring their materials. */
function priceChange(hoursTenths: number, department: Department, ctx: PricingContext): Spread {
  const materials =
    department === 'refinish'
      ? sumParts([asMaterials(computeLabour(hoursTenths, ctx.materials.est), ctx)], ctx)
      : { min: 0, est: 0, max: 0 };
  return makeSpread((end) => computeLabour(hoursTenths, ctx.rates[department][end]) + materials[end]);
}
