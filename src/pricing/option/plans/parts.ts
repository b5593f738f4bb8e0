import { roundHalfUp } from '../../../domain/money.ts';
import { isPartName } from '../../../domain/parts.ts';
import type { RepairType } from '../../../domain/repair.ts';
import { convertTablePrice, type PricingContext } from '../../pricing-context.ts';
import { countTenths } from '../refinish.ts';
import type { Plan, PlanPart } from '../repair-plan.ts';
import { findFacts, type Target } from '../target.ts';

/** Returns a plan with the usual empty fields filled in. */
export function makeRepairPlan(
  option: string,
  repairType: RepairType,
  more: Pick<Plan, 'lines' | 'trace'> & Partial<Omit<Plan, 'option' | 'repairType'>>,
): Plan {
  return {
    role: 'repair',
    refinish: [],
    blends: [],
    parts: [],
    inadequate: undefined,
    contractType: repairType === 'panel_repair' ? 'cosmetic' : repairType,
    ...more,
    option,
    repairType,
  };
}

/** Returns the price of a consumable from the operations table, as a part. */
export function makeConsumable(
  row: { consumable: string; consumable_price: number },
  ctx: PricingContext,
): PlanPart {
  return {
    part: row.consumable,
    type: 'consumable',
    source: 'consumable',
    priceMinor: convertTablePrice(row.consumable_price * (ctx.region.price_level?.parts ?? 1), ctx),
  };
}

const TYPE_OF_KIND = {
  painted: 'body_part',
  module: 'body_part',
  laminated_glass: 'glass',
  tempered_glass: 'glass',
  lamp: 'lamp',
  mechanical: 'mechanical_part',
} as const;

/** Returns the part to buy from one source; undefined where that source does not offer it. */
export function choosePart(source: 'oem' | 'aftermarket' | 'recycled', target: Target): PlanPart | undefined {
  const { facts, oemMinor } = target;
  const priced = (ratio: number | null) => (ratio === null ? undefined : roundHalfUp(oemMinor * ratio));
  const aftermarketMinor = priced(facts.aftermarket_ratio);
  const recycledMinor = priced(facts.recycled_ratio);
  const priceMinor = { oem: oemMinor, aftermarket: aftermarketMinor, recycled: recycledMinor }[source];
  if (priceMinor === undefined) return undefined;
  return {
    part: target.name,
    type: TYPE_OF_KIND[facts.kind],
    source,
    priceMinor,
    oemMinor,
    aftermarketMinor,
    recycledMinor,
  };
}

/** Returns the neighbours that are blended when this panel is painted to its edges; none in solid colours. */
export function listBlends(target: Target, ctx: PricingContext): string[] {
  if (ctx.paint === 'solid' || target.component !== undefined) return [];
  const own = isPartName(target.name) ? ctx.region.blend?.[target.name] : undefined;
  return [...(own ?? ctx.tables.parts.blend[target.name] ?? [])];
}

/** Returns the base refinish time of a panel that is blended, whole tenths of an hour. */
export function findBlendBase(part: string, ctx: PricingContext): number {
  return isPartName(part) ? countTenths(findFacts(part, ctx).refinish_repair_hours) : 0;
}
