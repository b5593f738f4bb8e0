import { computeLabour } from '../option/price.ts';
import type { PricingContext } from '../pricing-context.ts';
import { type EstimateLine, findMaterialsCap, PLAIN_LINE } from './line.ts';

/** Returns the refinish hours that count, whole tenths of an hour. */
export function sumRefinishTenths(
  lines: readonly Pick<EstimateLine, 'department' | 'counted' | 'hoursTenths'>[],
): number {
  return lines.reduce(
    (sum, line) =>
      line.department === 'refinish' && line.counted === 'total' ? sum + line.hoursTenths : sum,
    0,
  );
}

/** Returns the line of paint materials for refinish hours. */
export function makeMaterialsLine(tenths: number, ctx: PricingContext): Omit<EstimateLine, 'number'> {
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
    note: describeRate(tenths, ctx),
    source: ctx.region.source,
  };
}

/** Returns hours x rate, at most the region's cap, minor units. */
export function priceMaterials(tenths: number, ctx: PricingContext): number {
  return Math.min(findMaterialsCap(ctx), computeLabour(tenths, ctx.materials.est));
}

function describeRate(tenths: number, ctx: PricingContext): string {
  const capped = computeLabour(tenths, ctx.materials.est) > findMaterialsCap(ctx);
  return `${(tenths / 10).toFixed(1)} refinish hours${capped ? ', at the cap of the region' : ''}`;
}

/**
 * Returns the lines after a change, with paint materials for the refinish hours that count now. Materials that a person
 * set, or removed, stay as they are.
 */
export function withMaterials(lines: readonly EstimateLine[], ctx: PricingContext): readonly EstimateLine[] {
  const tenths = sumRefinishTenths(lines);
  const own = lines.find((line) => line.group === 'materials');
  if (own?.setByPerson) return lines;
  if (own === undefined) {
    if (tenths === 0) return lines;
    return [...lines, { ...makeMaterialsLine(tenths, ctx), number: findNextNumber(lines) }];
  }
  const goodsMinor = priceMaterials(tenths, ctx);
  return lines.map((line) => (line === own ? { ...own, goodsMinor, note: describeRate(tenths, ctx) } : line));
}

/** Returns the number of the next line: the first free one after those of the estimate, which expected lines follow. */
export function findNextNumber(lines: readonly Pick<EstimateLine, 'number' | 'group'>[]): number {
  const taken = new Set(lines.map((line) => line.number));
  let next =
    lines.reduce((most, { number, group }) => (group === 'expected' ? most : Math.max(most, number)), 0) + 1;
  while (taken.has(next)) next++;
  return next;
}
