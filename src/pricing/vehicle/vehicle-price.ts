import { DEPARTMENTS } from '../../domain/repair.ts';
import { sumOf } from '../../lib/sum.ts';
import { listDueFees, priceMaterials } from '../lines/following.ts';
import { findTaxClass, priceShare, type UnnumberedLine } from '../lines/line.ts';
import { joinPdrVisits } from '../option/pdr.ts';
import { makePaintLines, sumDepartmentTenths, sumWork } from '../option/price.ts';
import { isPaint, type Line, type PlanPart } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import { type ExpectedOperations, listAssociatedOperations } from './associated.ts';
import { type ExpectedWeight, readWeight } from './first-bill.ts';
import type { Repaired } from './panel-repair.ts';

/** One way of repair per panel, priced as one job, minor units. */
interface VehiclePrice {
  /** Lines other than refinish, per panel, as they count for the vehicle. */
  readonly work: readonly (readonly Line[])[];
  /** Refinish computed across panels. */
  readonly refinish: readonly Line[];
  /** The first bill, without its ends: these repairs, and what comes with them as far as it counts, to the minor unit. */
  readonly totalMinor: number;
}

/** Returns whether a part is the paint materials of a single repair; the vehicle buys its own. */
const isMaterials = (part: PlanPart, ctx: PricingContext) =>
  part.part === ctx.tables.operations.materials.consumable;
/**
 * Returns the price of the vehicle with one way of repair per panel: refinish as one procedure, structural work as one,
 * one minimum for dents pushed out, paint materials up to the region's cap, the fees that such work brings, and the
 * operations expected with it. `weight` is how much of those that are not in the total the first bill holds.
 */
export function priceVehicle(
  panels: readonly Repaired[],
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
  const sure = expected.filter((line) => line.counted === 'total');
  const likely = sumOf(expected, (line) => priceShare(line, ctx, readWeight(weight, line.because)));
  return { work, refinish, totalMinor: computeCost(lines, parts, sure, ctx) + likely };
}

/** Returns the labour of each department, rounded once, parts, paint materials and fees; minor units. */
function computeCost(
  work: readonly Line[],
  parts: readonly PlanPart[],
  expected: readonly UnnumberedLine[],
  ctx: PricingContext,
): number {
  const lines: readonly Line[] = [...work, ...expected];
  const labour = sumOf(DEPARTMENTS, (department) =>
    sumWork(
      lines.filter((line) => line.department === department),
      ctx,
    ),
  );
  const bought = parts.map((part) => ({ goodsMinor: part.priceMinor, taxClass: findTaxClass(part) }));
  const goods = [...bought, ...expected];
  const materials = priceMaterials(sumDepartmentTenths(lines, 'refinish'), ctx);
  const fees = sumOf(listDueFees(lines, goods, ctx), (fee) => fee.amountMinor);
  return labour + sumOf(goods, (one) => one.goodsMinor) + materials + fees;
}

/**
 * Returns the lines of all panels with the structural work as one procedure: one set-up on the bench, the longest pull
 * in full and each other at half, rounded up. Lines per panel in, lines per panel out.
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
