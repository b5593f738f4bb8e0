import { DEPARTMENTS } from '../../domain/repair.ts';
import { onePdrVisit } from '../option/pdr.ts';
import { departmentTenths, labourMinor, type PricedOption, paintLines, workMinor } from '../option/price.ts';
import type { Line, PlanPart } from '../option/repair-plan.ts';
import { oneStructuralProcedure } from '../option/structural.ts';
import type { PricingContext } from '../pricing-context.ts';

/** One way of repair per panel, priced as one job, minor units. */
interface VehiclePrice {
  /** Lines other than refinish, per panel, as they count for the vehicle. */
  readonly work: readonly (readonly Line[])[];
  /** Refinish computed across panels. */
  readonly refinish: readonly Line[];
  /** Parts and consumables other than paint materials. */
  readonly parts: readonly PlanPart[];
  /** The estimate, without its ends. */
  readonly totalMinor: number;
}

const isMaterials = (part: PlanPart, ctx: PricingContext) =>
  part.part === ctx.tables.operations.materials.consumable;
const isPaint = (line: Line) =>
  line.operation === 'Refn' ||
  line.operation === 'Clear' ||
  line.operation === '3-stg' ||
  line.operation === 'Blnd';

/**
 * Returns the price of the vehicle with one way of repair per panel: refinish as one procedure, structural work as one.
 */
export function priceVehicle(options: readonly PricedOption[], ctx: PricingContext): VehiclePrice {
  const work = onePdrVisit(
    oneStructuralProcedure(options.map((option) => option.lines.filter((line) => !isPaint(line)))),
    ctx,
  );
  const refinish = paintLines(
    options.flatMap((option) => option.plan.refinish),
    options.flatMap((option) => option.plan.blends),
    ctx,
  );
  const lines = [...work.flat(), ...refinish];
  const parts = options.flatMap((option) => option.parts.filter((part) => !isMaterials(part, ctx)));
  return { work, refinish, parts, totalMinor: costOf(lines, parts, ctx) };
}

/** Returns the labour of each department, rounded once, parts, and paint materials; minor units. */
function costOf(lines: readonly Line[], parts: readonly PlanPart[], ctx: PricingContext): number {
  const labour = DEPARTMENTS.reduce(
    (sum, department) =>
      sum +
      workMinor(
        lines.filter((line) => line.department === department),
        ctx,
        'est',
      ),
    0,
  );
  const goods = parts.reduce((sum, part) => sum + part.priceMinor, 0);
  return labour + goods + labourMinor(departmentTenths(lines, 'refinish'), ctx.materials.est);
}
