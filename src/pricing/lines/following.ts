import { roundHalfAway, toMinor } from '../../domain/money.ts';
import { toPercent } from '../../lib/round.ts';
import { sumOf } from '../../lib/sum.ts';
import { computeLabour, sumDepartmentTenths } from '../option/price.ts';
import { FITTING, type Line } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import { type EstimateLine, findMaterialsCap, isCounted, PLAIN_LINE, type UnnumberedLine } from './line.ts';

/**
 * Returns the lines with paint materials for the refinish hours that count now, and the region's fees that the lines
 * which count now bring. What a person set, or removed, stays as it is.
 */
export function bringFollowing(lines: readonly EstimateLine[], ctx: PricingContext): readonly EstimateLine[] {
  const work = lines.filter((line) => isCounted(line) && line.group !== 'materials' && line.group !== 'fee');
  const tenths = sumDepartmentTenths(work, 'refinish');
  const has = (group: EstimateLine['group']) => lines.some((line) => line.group === group);
  const due = [
    ...(tenths > 0 || has('materials') ? [makeMaterialsLine(tenths, ctx)] : []),
    ...listDueFees(work, work, ctx).map(makeFeeLine),
  ];
  const kept = lines.flatMap((line): readonly EstimateLine[] => {
    if (line.setByPerson || (line.group !== 'materials' && line.group !== 'fee')) return [line];
    const now = due.find(({ id }) => id === line.id);
    return now === undefined ? [] : [{ ...now, number: line.number }];
  });
  return due.filter(({ id }) => !lines.some((line) => line.id === id)).reduce(insert, kept);
}

/** Returns the lines with one more of the estimate, before those that are expected with it. */
function insert(lines: readonly EstimateLine[], line: UnnumberedLine): readonly EstimateLine[] {
  const at = lines.findIndex(({ group }) => group === 'expected');
  return lines.toSpliced(at === -1 ? lines.length : at, 0, { ...line, number: findNextNumber(lines) });
}

/** Returns hours x rate, at most the region's cap, minor units. */
export function priceMaterials(tenths: number, ctx: PricingContext): number {
  return Math.min(findMaterialsCap(ctx), computeLabour(tenths, ctx.materials.est));
}

function makeMaterialsLine(tenths: number, ctx: PricingContext): UnnumberedLine {
  const capped = computeLabour(tenths, ctx.materials.est) > findMaterialsCap(ctx);
  return {
    ...PLAIN_LINE,
    id: 'paint_materials/add',
    group: 'materials',
    operation: 'Add',
    part: ctx.tables.operations.materials.consumable,
    department: 'refinish',
    hoursTenths: 0,
    goodsMinor: priceMaterials(tenths, ctx),
    taxClass: 'materials',
    basis: 'formula',
    note: `${(tenths / 10).toFixed(1)} refinish hours${capped ? ', at the cap of the region' : ''}`,
    source: ctx.region.source,
  };
}

/** A fee of the region that is due, minor units. */
interface DueFee {
  readonly name: string;
  readonly amountMinor: number;
  readonly note: string;
  readonly source: string;
}

/** Returns the fees of the region that such work and what it buys bring, each once per vehicle. */
export function listDueFees(
  work: readonly Pick<Line, 'operation' | 'department' | 'hoursTenths'>[],
  goods: readonly Pick<EstimateLine, 'taxClass' | 'goodsMinor'>[],
  ctx: PricingContext,
): readonly DueFee[] {
  const { fees = [] } = ctx.region;
  if (fees.length === 0) return [];
  const due = {
    every: work.length + goods.length > 0,
    painted: sumDepartmentTenths(work, 'refinish') > 0,
    replaced: work.some(({ operation }) => FITTING.includes(operation)),
  };
  const parts = goods.filter(({ taxClass }) => taxClass === 'parts');
  const partsMinor = sumOf(parts, ({ goodsMinor }) => goodsMinor);
  return fees
    .filter((fee) => due[fee.on])
    .map(({ name, amount, share_of_parts: share, source }) => ({
      name,
      amountMinor:
        toMinor(amount * (ctx.fx?.rate ?? 1), ctx.currency) + roundHalfAway((share ?? 0) * partsMinor),
      note: share === undefined ? 'flat fee of the region' : `${toPercent(share)} % of the parts`,
      source,
    }));
}

function makeFeeLine({ name, amountMinor, note, source }: DueFee): UnnumberedLine {
  return {
    ...PLAIN_LINE,
    id: `${name}/fee`,
    group: 'fee',
    operation: 'Add',
    part: name,
    department: 'body',
    hoursTenths: 0,
    goodsMinor: amountMinor,
    taxClass: 'fee',
    basis: 'table',
    note,
    source,
  };
}

/** Returns the number of the next line: the first free one after those of the estimate, which expected lines follow. */
export function findNextNumber(lines: readonly Pick<EstimateLine, 'number' | 'group'>[]): number {
  const taken = new Set(lines.map((line) => line.number));
  let next =
    lines.reduce((most, { number, group }) => (group === 'expected' ? most : Math.max(most, number)), 0) + 1;
  while (taken.has(next)) next++;
  return next;
}
