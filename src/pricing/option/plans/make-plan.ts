import type { RepairType } from '../../../domain/repair.ts';
import { convertTablePrice, type PricingContext } from '../../pricing-context.ts';
import type { PricingDamage } from '../damage.ts';
import {
  type Approach,
  type Line,
  nameOption,
  type Plan,
  type PlanPart,
  type RefinishEntry,
} from '../repair-plan.ts';
import { combineJobs, countTenths, type ScoredHours, scoreTenths } from '../repair-time.ts';
import { findFacts, isGlass, type Target } from '../target.ts';

/** A target, and what determines its prices. */
export interface PricedTarget {
  readonly target: Target;
  readonly ctx: PricingContext;
}

/** All damages of one target, to be repaired together. */
export interface Job extends PricedTarget {
  readonly damages: readonly PricingDamage[];
  /** Highest severity score of the damages. */
  readonly worstScore: number;
  readonly isMissing: boolean;
}

/** Creates a labor line of a target; by default judgment time in the target's own department. */
export const makeLine = (
  target: Target,
  line: Pick<Line, 'operation' | 'hoursTenths' | 'note'> & Partial<Line>,
): Line => ({
  part: target.name,
  department: isGlass(target) ? 'glass' : target.facts.department,
  basis: 'judgement',
  ...line,
});

/** Creates a body labor line; repair of aluminium goes to the aluminium department. */
export function makeBodyLine(target: Target, line: Parameters<typeof makeLine>[1]): Line {
  const isAluminium = line.operation === 'Rpr' && target.material === 'aluminium';
  return makeLine(target, { department: isAluminium ? 'aluminium' : 'body', ...line });
}

/** Computes the combined time of similar jobs whose hours grow with the score, in tenths of an hour. */
export const timeDamages = (damages: readonly PricingDamage[], row: ScoredHours) =>
  combineJobs(damages.map(({ severityScore }) => scoreTenths(row, severityScore)));

/** Creates a plan, with defaults for the fields not given. */
export function makeRepairPlan(
  approach: Approach,
  repairType: RepairType,
  fields: Pick<Plan, 'lines' | 'trace'> & Partial<Omit<Plan, 'option' | 'repairType' | keyof Approach>>,
): Plan {
  return {
    ...approach,
    role: 'repair',
    refinish: [],
    blends: [],
    parts: [],
    inadequate: undefined,
    contractType: repairType === 'panel_repair' ? 'cosmetic' : repairType,
    ...fields,
    option: nameOption(approach),
    repairType,
  };
}

/** Converts a consumable of the operations table to a part, priced at the region's level. */
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

/**
 * Lists the adjacent panels to blend when this panel is painted; empty for solid colors, for components, and in regions
 * that quote each panel by its own repair and paint.
 */
export function listBlends(target: Target, ctx: PricingContext): readonly RefinishEntry[] {
  if (ctx.paint === 'solid' || target.component !== undefined || ctx.region.panel_alone !== undefined)
    return [];
  return (ctx.tables.parts.blend[target.name] ?? []).map((part) => ({
    part,
    baseTenths: countTenths(findFacts(part, ctx).refinish_repair_hours),
  }));
}
