import { DEPARTMENTS, type Department } from '../../domain/repair.ts';
import { type PricingContext, type Spread, spread } from '../context.ts';
import { onePdrVisit } from '../option/pdr.ts';
import type { Line, PlanPart } from '../option/plan.ts';
import {
  asMaterials,
  departmentTenths,
  labourMinor,
  type PricedOption,
  paintLines,
  partsSpread,
  workMinor,
} from '../option/price.ts';
import { oneStructuralProcedure } from '../option/structural.ts';

import type { AssociatedLine } from './associated.ts';

/** What one department, the parts or the paint materials come to, minor units. */
export interface DepartmentTotal {
  readonly department: Department | 'parts' | 'materials';
  readonly hoursTenths: number;
  readonly rateMinor: number | null;
  readonly totalMinor: number;
}

/** One way of repair per panel, priced as one job, minor units. */
export interface VehiclePrice {
  /** Lines other than refinish, per panel, as they count for the vehicle. */
  readonly work: readonly (readonly Line[])[];
  /** Refinish worked out across panels. */
  readonly refinish: readonly Line[];
  /** Parts and consumables other than paint materials. */
  readonly parts: readonly PlanPart[];
  readonly departments: readonly DepartmentTotal[];
  /** Sum of the departments: the estimate, without its ends. */
  readonly totalMinor: number;
}

const isMaterials = (part: PlanPart, ctx: PricingContext) =>
  part.part === ctx.tables.operations.materials.consumable;
const isPaint = (line: Line) =>
  line.operation === 'Refn' ||
  line.operation === 'Clear' ||
  line.operation === '3-stg' ||
  line.operation === 'Blnd';

/** The price of the vehicle with one way of repair per panel: refinish as one procedure, structural work as one. */
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
  const departments = departmentTotals(lines, parts, options, ctx);
  return {
    work,
    refinish,
    parts,
    departments,
    totalMinor: departments.reduce((sum, row) => sum + row.totalMinor, 0),
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
      const own = lines.filter((line) => line.department === department);
      const hoursTenths = departmentTenths(lines, department);
      const rateMinor = department === 'pdr' ? null : ctx.rates[department].est;
      return { department, hoursTenths, rateMinor, totalMinor: workMinor(own, ctx, 'est') };
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

/** What the vehicle's repair costs with its ends: goods with their range, labour at each end of its rate. */
export function totalOf({ work, refinish, parts, departments }: VehiclePrice, ctx: PricingContext): Spread {
  const lines = [...work.flat(), ...refinish];
  const materials = departments.find(({ department }) => department === 'materials')?.totalMinor ?? 0;
  const goods = partsSpread([...parts, asMaterials(materials, ctx)], ctx);
  return spread((end) =>
    DEPARTMENTS.reduce(
      (sum, name) =>
        sum +
        workMinor(
          lines.filter((line) => line.department === name),
          ctx,
          end,
        ),
      goods[end],
    ),
  );
}

/** What an adjuster's price took off, or put on, the paint materials of an option. */
function materialsDifference(option: PricedOption, ctx: PricingContext): number {
  const listed = option.parts
    .filter((part) => isMaterials(part, ctx))
    .reduce((sum, part) => sum + part.priceMinor, 0);
  const due = labourMinor(departmentTenths(option.lines, 'refinish'), ctx.materials.est);
  return listed - due;
}

/** The departments with operations that are counted on top: their hours, their prices and their paint materials. */
export function withAssociated(
  departments: readonly DepartmentTotal[],
  lines: readonly AssociatedLine[],
): readonly DepartmentTotal[] {
  const sum = (of: readonly AssociatedLine[], pick: (line: AssociatedLine) => number) =>
    of.reduce((total, line) => total + pick(line), 0);
  return departments.map((row) => {
    if (row.department === 'parts')
      return { ...row, totalMinor: row.totalMinor + sum(lines, (line) => line.priceMinor) };
    const own = lines.filter(
      (line) => line.department === (row.department === 'materials' ? 'refinish' : row.department),
    );
    const amount = (line: AssociatedLine) =>
      row.department === 'materials' ? line.materialsMinor : line.labourMinor;
    return {
      ...row,
      hoursTenths: row.hoursTenths + sum(own, (line) => line.hoursTenths),
      totalMinor: row.totalMinor + sum(own, amount),
    };
  });
}
