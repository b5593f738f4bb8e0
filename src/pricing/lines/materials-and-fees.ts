import { roundHalfAway, toMinor } from '../../domain/money.ts';
import { sumBy } from '../../lib/lists.ts';
import { toPercent } from '../../lib/numbers.ts';
import { computeLabor, sumDepartmentTenths } from '../option/price.ts';
import { FITTING } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import {
  countMaterialTenths,
  type EstimateLine,
  isCounted,
  LINE_DEFAULTS,
  type UnnumberedLine,
} from './line.ts';

/**
 * Recalculates paint materials from the counted refinish hours, and the region's fees from the counted lines. Lines set
 * or removed by a user stay unchanged.
 */
export function refreshDerived(lines: readonly EstimateLine[], ctx: PricingContext): readonly EstimateLine[] {
  const work = lines.filter((line) => isCounted(line) && line.group !== 'materials' && line.group !== 'fee');
  const tenths = sumBy(work, countMaterialTenths);
  const dueLines = [
    ...(tenths > 0 || lines.some(({ group }) => group === 'materials')
      ? [makeMaterialsLine(tenths, ctx)]
      : []),
    ...listDueFees(work, ctx),
  ];
  const existing = lines.flatMap((line): readonly EstimateLine[] => {
    if (line.isManual || (line.group !== 'materials' && line.group !== 'fee')) return [line];
    const updated = dueLines.find(({ id }) => id === line.id);
    return updated === undefined ? [] : [{ ...updated, number: line.number }];
  });
  return dueLines.filter(({ id }) => !lines.some((line) => line.id === id)).reduce(insert, existing);
}

/** Inserts a line before the expected ones. */
function insert(lines: readonly EstimateLine[], line: UnnumberedLine): readonly EstimateLine[] {
  const at = lines.findIndex(({ group }) => group === 'expected');
  return lines.toSpliced(at === -1 ? lines.length : at, 0, { ...line, number: findNextNumber(lines) });
}

function makeMaterialsLine(tenths: number, ctx: PricingContext): UnnumberedLine {
  return {
    ...LINE_DEFAULTS,
    id: 'paint_materials/add',
    group: 'materials',
    operation: 'Add',
    part: ctx.tables.operations.materials.consumable,
    department: 'refinish',
    hoursTenths: 0,
    goodsMinor: computeLabor(tenths, ctx.materials.est),
    taxClass: 'materials',
    basis: 'formula',
    note: `${(tenths / 10).toFixed(1)} refinish hours`,
    source: ctx.region.source,
  };
}

/** Lists the lines of the region's fees due for the lines, each once per vehicle. */
function listDueFees(work: readonly EstimateLine[], ctx: PricingContext): readonly UnnumberedLine[] {
  const { fees = [] } = ctx.region;
  const isDue = {
    every: work.length > 0,
    painted: sumDepartmentTenths(work, 'refinish') > 0,
    replaced: work.some(({ operation }) => FITTING.includes(operation)),
  };
  const parts = work.filter(({ taxClass }) => taxClass === 'parts');
  const partsMinor = sumBy(parts, ({ goodsMinor }) => goodsMinor);
  return fees
    .filter((fee) => isDue[fee.on])
    .map(({ name, amount, share_of_parts: share, source }) => ({
      ...LINE_DEFAULTS,
      id: `${name}/fee`,
      group: 'fee',
      operation: 'Add',
      part: name,
      department: 'body',
      hoursTenths: 0,
      goodsMinor:
        toMinor(amount * (ctx.fx?.rate ?? 1), ctx.currency) + roundHalfAway((share ?? 0) * partsMinor),
      taxClass: 'fee',
      basis: 'table',
      note: share === undefined ? 'flat fee of the region' : `${toPercent(share)} % of the parts`,
      source,
    }));
}

/** Returns the first free number after the estimate's lines, ignoring the numbers of expected lines. */
export function findNextNumber(lines: readonly Pick<EstimateLine, 'number' | 'group'>[]): number {
  const used = new Set(lines.map((line) => line.number));
  let next =
    lines.reduce((last, { number, group }) => (group === 'expected' ? last : Math.max(last, number)), 0) + 1;
  while (used.has(next)) next++;
  return next;
}
