import { roundHalfAway, toMinor } from '../../domain/money.ts';
import { compact, sumBy } from '../../lib/lists.ts';
import { toPercent } from '../../lib/numbers.ts';
import { computeLabor, sumRefinishTenths } from '../option/price.ts';
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
  const isDerived = ({ group }: EstimateLine) => group === 'materials' || group === 'fee';
  const work = lines.filter((line) => isCounted(line) && !isDerived(line));
  const tenths = sumBy(work, countMaterialTenths);
  const isPainted = tenths > 0 || lines.some(({ group }) => group === 'materials');
  const dueLines = [...(isPainted ? [makeMaterialsLine(tenths, ctx)] : []), ...listDueFees(work, ctx)];
  const isSet = (line: EstimateLine) => line.isManual || !isDerived(line);
  const renewed = dueLines.filter(({ id }) => !lines.some((line) => line.id === id && isSet(line)));
  return renewLines(lines, renewed, isSet);
}

/** Replaces lines by those renewed under the same id and number, keeps others that qualify, and inserts what is new. */
export function renewLines(
  lines: readonly EstimateLine[],
  renewed: readonly UnnumberedLine[],
  isKept: (line: EstimateLine) => boolean,
): readonly EstimateLine[] {
  const existing = lines.flatMap((line): readonly EstimateLine[] => {
    const updated = renewed.find(({ id }) => id === line.id);
    if (updated !== undefined) return [{ ...updated, number: line.number }];
    return isKept(line) ? [line] : [];
  });
  return renewed.filter(({ id }) => !lines.some((line) => line.id === id)).reduce(insert, existing);
}

/** Inserts a line before the expected ones, or as the last of them. */
function insert(lines: readonly EstimateLine[], line: UnnumberedLine): readonly EstimateLine[] {
  const last = Math.max(0, ...lines.map(({ number }) => number));
  if (line.group === 'expected') return [...lines, { ...line, number: last + 1 }];
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
    goodsMinor: computeLabor(tenths, ctx.materials.est),
    taxClass: 'materials',
    basis: 'formula',
    note: `${(tenths / 10).toFixed(1)} refinish hours`,
    source: ctx.region.source,
  };
}

/** Lists the lines of the region's fees due for the lines, each once per vehicle. */
function listDueFees(work: readonly EstimateLine[], ctx: PricingContext): readonly UnnumberedLine[] {
  const isDue = {
    every: work.length > 0,
    painted: sumRefinishTenths(work) > 0,
    replaced: work.some(({ operation }) => FITTING.includes(operation)),
  };
  const partsMinor = sumBy(work, ({ taxClass, goodsMinor }) => (taxClass === 'parts' ? goodsMinor : 0));
  return (ctx.region.fees ?? [])
    .filter((fee) => isDue[fee.on])
    .map(({ name, amount, share_of_parts: share, source }) => ({
      ...LINE_DEFAULTS,
      id: `${name}/fee`,
      group: 'fee',
      operation: 'Add',
      part: name,
      goodsMinor:
        toMinor(amount * (ctx.fx?.rate ?? 1), ctx.currency) + roundHalfAway((share ?? 0) * partsMinor),
      taxClass: 'fee',
      basis: 'table',
      note: compact([
        (amount > 0 || share === undefined) && 'flat fee of the region',
        share !== undefined && `${toPercent(share)} % of the parts`,
      ]).join(' + '),
      source,
    }));
}

/** Returns the first number above those of the estimate's own lines that no expected line has. */
export function findNextNumber(lines: readonly Pick<EstimateLine, 'number' | 'group'>[]): number {
  const own = lines.filter(({ group }) => group !== 'expected');
  let next = Math.max(0, ...own.map(({ number }) => number)) + 1;
  while (lines.some(({ number }) => number === next)) next++;
  return next;
}
