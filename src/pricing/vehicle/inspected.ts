import type { RuleTrace } from '../../domain/damage.ts';
import { gradeClaim, type SeverityClaim } from '../../domain/judge/severity-floor.ts';
import type { Currency } from '../../domain/money.ts';
import type { ContractRepairType, RepairType } from '../../domain/repair.ts';
import type { LineEdits } from '../lines/edit-lines.ts';
import { type EstimateLine, priceExpected } from '../lines/line.ts';
import { listRepairLines, type RepairLine } from '../lines/repair-lines.ts';
import { priceOptions } from '../option/recommend.ts';
import { findTarget } from '../option/target.ts';
import type { PricingContext, Spread } from '../pricing-context.ts';
import { estimateAfterTeardown } from './notes.ts';
import { type Adjustment, estimateVehicle } from './vehicle.ts';

/** A damage of an inspection, as far as its price depends on it. */
interface InspectedDamage extends SeverityClaim {
  readonly id: string;
  /** Number of similar dents (hail); 1 where absent. */
  readonly count?: number | undefined;
}

/** The recommended repair of one damage on its own, minor units. */
interface InspectedPrice {
  readonly id: string;
  readonly option: string;
  readonly repairType: RepairType;
  readonly contractType: ContractRepairType;
  readonly price: Spread;
  readonly explain: readonly RuleTrace[];
}

/** The damages of an inspection as one repair, minor units of `currency`. */
export interface InspectionPrice {
  readonly currency: Currency;
  /** What a shop's first bill for the vehicle comes to. */
  readonly firstBill: Spread;
  /** What the damages seen cost as one job: panels once, refinish shared. */
  readonly asSeen: Spread;
  /** The first bill with what teardown usually adds; undefined where nothing is taken apart. */
  readonly afterTeardown: Spread | undefined;
  /** Plain sum of the damages' own repairs. */
  readonly sum: Spread;
  /** The steps from `sum` to `asSeen`; they add up at each end. */
  readonly adjustments: readonly Adjustment[];
  readonly damages: readonly InspectedPrice[];
  /** `firstBill.est` as one row per part. */
  readonly repairLines: readonly RepairLine[];
  /** Operations that usually come with the repair, to be accepted or refused one by one. */
  readonly expected: readonly (EstimateLine & { readonly amountMinor: number })[];
}

const NOTHING: Spread = { min: 0, est: 0, max: 0 };

/**
 * Prices the damages of an inspection exactly as an assessment of the same damages does: same severity floors, same
 * class and paint (those of `ctx`), each damage alone and all of them as one repair. Ids must differ.
 */
export function priceInspectedDamages(
  damages: readonly InspectedDamage[],
  ctx: PricingContext,
  edits?: LineEdits,
): InspectionPrice {
  const items = damages.map((claim) => {
    const { severity, severityScore } = gradeClaim(claim);
    const { id, type, subtype, part, sizeCm, count } = claim;
    const damage = { type, subtype, part, severity, severityScore, sizeCm, count };
    const options = priceOptions([damage], findTarget(damage, ctx), ctx);
    return { id, damage, options, chosen: options.recommended };
  });
  const priced = items.map(({ id, options, chosen }) => ({
    id,
    option: chosen.plan.option,
    repairType: chosen.plan.repairType,
    contractType: chosen.plan.contractType,
    price: chosen.total,
    explain: [...chosen.plan.trace, ...options.trace],
  }));
  if (items.length === 0) {
    return {
      currency: ctx.currency,
      firstBill: NOTHING,
      asSeen: NOTHING,
      afterTeardown: undefined,
      sum: NOTHING,
      adjustments: [],
      damages: [],
      repairLines: [],
      expected: [],
    };
  }
  const estimate = estimateVehicle(items, ctx, edits);
  return {
    currency: ctx.currency,
    firstBill: estimate.firstBill,
    asSeen: estimate.adjusted,
    afterTeardown: estimateAfterTeardown(estimate, ctx)?.total,
    sum: estimate.recommended,
    adjustments: estimate.adjustments,
    damages: priced,
    repairLines: listRepairLines(estimate.lines, estimate.firstBill.est, ctx),
    expected: estimate.lines
      .filter(({ group }) => group === 'expected')
      .map((line) => ({ ...line, amountMinor: priceExpected(line, ctx) })),
  };
}
