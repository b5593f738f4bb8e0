import type { RuleTrace } from '../../domain/damage.ts';
import type { Currency } from '../../domain/money.ts';
import type { ContractRepairType, RepairType } from '../../domain/repair.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { PricingDamage } from './damage.ts';
import { priceOptions } from './recommend.ts';
import { findTarget } from './target.ts';

/** Recommended repair of one damage on its own, in minor units of `currency`. */
export interface RepairEstimate {
  readonly minMinor: number;
  readonly maxMinor: number;
  readonly estimatedMinor: number;
  readonly currency: Currency;
  readonly repairType: RepairType;
  readonly contractType: ContractRepairType;
  /** Name of the recommended option, such as `pdr`, `panel_repair` or `bumper_replacement`. */
  readonly option: string;
  readonly explain: readonly RuleTrace[];
}

/**
 * Prices the recommended repair of one damage at its given severity, ignoring other damages, so the sums of an
 * inspection are exact to the minor unit.
 */
export function estimateRepair(damage: PricingDamage, ctx: PricingContext): RepairEstimate {
  const { recommended, trace } = priceOptions([damage], findTarget(damage, ctx), ctx);
  return {
    minMinor: recommended.total.min,
    maxMinor: recommended.total.max,
    estimatedMinor: recommended.total.est,
    currency: ctx.currency,
    repairType: recommended.plan.repairType,
    contractType: recommended.plan.contractType,
    option: recommended.plan.option,
    explain: [...recommended.plan.trace, ...trace],
  };
}
