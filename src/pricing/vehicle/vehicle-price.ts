import { DEPARTMENTS } from '../../domain/repair.ts';
import { sumBy } from '../../lib/sum.ts';
import { findTaxClass, priceExpectedShare, type UnnumberedLine } from '../lines/line.ts';
import { listDueFees, priceMaterials } from '../lines/materials-and-fees.ts';
import { joinPdrVisits } from '../option/pdr.ts';
import { makePaintLines, priceLabor, sumDepartmentTenths } from '../option/price.ts';
import { isPaint, type Line, type PlanPart } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import { type ExpectedOperations, listAssociatedOperations } from './associated.ts';
import { type ExpectedWeight, readWeight } from './expected-weight.ts';
import type { PanelChoice } from './panel-repair.ts';

/** Price of one repair option per panel as a single job, in minor units. */
interface VehiclePrice {
  /** Labor lines other than refinish, per panel, combined for the vehicle. */
  readonly work: readonly (readonly Line[])[];
  /** Refinish computed across panels. */
  readonly refinish: readonly Line[];
  /** Midpoint of the first bill: these repairs plus the weighted expected operations. */
  readonly totalMinor: number;
}

/** Returns true for the paint materials of a single repair, which the vehicle's own materials replace. */
const isMaterials = (part: PlanPart, ctx: PricingContext) =>
  part.part === ctx.tables.operations.materials.consumable;
/**
 * Prices the vehicle with one repair option per panel: refinish and structural work each as one procedure, one PDR
 * minimum charge, paint materials up to the region's cap, fees and expected operations. `weight` is the fraction of
 * expected operations outside the total that the first bill includes.
 */
export function priceVehicle(
  panels: readonly PanelChoice[],
  weight: ExpectedWeight,
  ctx: PricingContext,
  operations?: ExpectedOperations,
): VehiclePrice {
  const options = panels.map(({ option }) => option);
  const work = joinPdrVisits(
    joinStructuralWork(options.map((option) => option.lines.filter((line) => !isPaint(line)))),
    ctx,
  );
  const refinish = makePaintLines(
    options.flatMap((option) => option.plan.refinish),
    options.flatMap((option) => option.plan.blends),
    ctx,
  );
  const lines = [...work.flat(), ...refinish];
  const parts = options.flatMap((option) => option.parts.filter((part) => !isMaterials(part, ctx)));
  const expected = listAssociatedOperations(panels, refinish, ctx, operations);
  const counted = expected.filter((line) => line.countedIn === 'total');
  const likely = sumBy(expected, (line) =>
    priceExpectedShare(line, ctx, readWeight(weight, line.requiredBy)),
  );
  return { work, refinish, totalMinor: computeCost(lines, parts, counted, ctx) + likely };
}

/** Computes labor rounded once per department, parts, paint materials and fees, in minor units. */
function computeCost(
  work: readonly Line[],
  parts: readonly PlanPart[],
  expected: readonly UnnumberedLine[],
  ctx: PricingContext,
): number {
  const lines: readonly Line[] = [...work, ...expected];
  const labor = sumBy(DEPARTMENTS, (department) =>
    priceLabor(
      lines.filter((line) => line.department === department),
      ctx,
    ),
  );
  const bought = parts.map((part) => ({ goodsMinor: part.priceMinor, taxClass: findTaxClass(part) }));
  const goods = [...bought, ...expected];
  const materials = priceMaterials(sumDepartmentTenths(lines, 'refinish'), ctx);
  const fees = sumBy(listDueFees(lines, goods, ctx), (fee) => fee.amountMinor);
  return labor + sumBy(goods, (one) => one.goodsMinor) + materials + fees;
}

/**
 * Combines the structural work of all panels into one procedure: one set-up, the longest pull in full, the others at
 * half, rounded up. Keeps the grouping by panel.
 */
function joinStructuralWork(panels: readonly (readonly Line[])[]): Line[][] {
  const [setup, pull] = (['Setup', 'Pull'] as const).map((operation) => {
    const like = panels.flat().filter((line) => line.operation === operation);
    return like.toSorted((a, b) => b.hoursTenths - a.hoursTenths)[0];
  });
  return panels.map((lines) =>
    lines
      .filter((line) => line.operation !== 'Setup' || line === setup)
      .map((line) =>
        line.operation !== 'Pull' || line === pull
          ? line
          : {
              ...line,
              hoursTenths: Math.ceil(line.hoursTenths / 2),
              note: `${line.note}, at half, next to the longest`,
            },
      ),
  );
}
