import type { Severity } from '../../domain/damage.ts';
import type { SeverityClaim } from '../../domain/judge/severity-floor.ts';
import { roundHalfAway } from '../../domain/money.ts';
import { sumBy } from '../../lib/lists.ts';
import type { LineEdits } from '../lines/edit-lines.ts';
import type { PricedOption } from '../option/price.ts';
import { priceOptions } from '../option/recommend.ts';
import type { Reason } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import {
  computeOverallSeverity,
  type Impact,
  judgeCosmeticImpact,
  judgeSafetyImpact,
  judgeStructuralImpact,
} from './impact.ts';
import { type DamageOverride, decideDamage, describeOptionChange, type Item } from './override.ts';
import type { PanelRepair } from './panel-repair.ts';
import { computeTax, type Tax } from './tax.ts';
import { type AfterTeardown, estimateAfterTeardown } from './teardown.ts';
import { computeTimeline, computeVehicleTimeline, type Timeline, type VehicleTimeline } from './timeline.ts';
import {
  findMarketValue,
  judgeTotalLoss,
  type MarketValue,
  type TotalLoss,
  type ValuationFacts,
} from './value.ts';
import { chooseDamageModifier, computeValueReduction, type ValueReduction } from './value-reduction.ts';
import { estimateVehicle, type VehicleEstimate } from './vehicle.ts';

/** A submitted damage, with an adjuster's override if there is one. */
export interface ClaimedDamage extends SeverityClaim {
  readonly id: string;
  readonly count?: number | undefined;
  readonly override?: DamageOverride | undefined;
}

/** A repair option of a damage, with its duration and the reason if it is not recommended. */
export interface AssessedOption {
  readonly option: PricedOption;
  readonly recommended: boolean;
  readonly reason: Reason | undefined;
  readonly timeline: Timeline;
}

/** A damage with its computed results; `valueReductionPercent` refers to the market value. */
export interface AssessedDamage extends Pick<Item, 'id' | 'damage' | 'changes' | 'trace'> {
  /** The repair of its panel, for all damages of the panel together. */
  readonly chosen: PricedOption;
  /** Submitted severity if the rules or an adjuster changed it; otherwise undefined. */
  readonly claimedSeverity: Severity | undefined;
  readonly structural: Impact;
  readonly cosmetic: ReturnType<typeof judgeCosmeticImpact>;
  readonly safety: Impact;
  /** 17c damage modifier of the loss of value; 0 if there is no loss. */
  readonly valueModifier: number;
  readonly valueReductionPercent: number;
  readonly options: readonly AssessedOption[];
}

/** A completed vehicle assessment in minor units of the response currency, ready for presentation. */
export interface VehicleAssessment {
  readonly damages: readonly AssessedDamage[];
  readonly overall: ReturnType<typeof computeOverallSeverity>;
  readonly estimate: VehicleEstimate;
  /** Sums of the cheapest and of the most expensive options of all damages. */
  readonly allOptions: { readonly minMinor: number; readonly maxMinor: number };
  readonly tax: Tax | undefined;
  /** The estimate including tax. */
  readonly grossMinor: number;
  /** The first bill including tax. */
  readonly firstBillGrossMinor: number;
  readonly timeline: VehicleTimeline;
  readonly value: MarketValue;
  readonly reduction: ValueReduction;
  /** Loss of market value, and the remaining value. */
  readonly lostMinor: number;
  readonly leftMinor: number;
  readonly totalLoss: TotalLoss;
  /** Undefined if the repair involves no teardown. */
  readonly afterTeardown: AfterTeardown | undefined;
}

/**
 * Assesses a vehicle: options and impact of each damage, the combined repair, duration, tax, value and total loss.
 * @throws VehiError INVALID_REQUEST for an invalid override or line edit.
 */
export function assessVehicle(
  claims: readonly ClaimedDamage[],
  facts: ValuationFacts,
  ctx: PricingContext,
  edits?: LineEdits,
): VehicleAssessment {
  const items = claims.map((claim) => decideDamage(claim, claim.override, ctx));
  const estimate = estimateVehicle(items, ctx, edits);
  const damages = items.map((item, i) => {
    const panel = estimate.panels.find(({ target }) => target.key === item.target.key);
    if (panel === undefined) throw new Error(`no panel for ${item.id}`);
    return assessDamage(item, { claim: claims[i], panel, items, facts }, ctx);
  });
  const overall = computeOverallSeverity(damages.map((one) => one.damage));
  const worst = Math.max(0, ...damages.map(({ valueModifier }) => valueModifier));
  const reduction = computeValueReduction(worst, facts.mileageKm, ctx);
  const value = findMarketValue(facts, ctx);
  const lostMinor = roundHalfAway((value.minor * reduction.percent) / 100);
  const tax = computeTax(estimate, ctx);
  const grossMinor = tax?.grossMinor ?? estimate.total.est;
  const firstBillGrossMinor = tax?.firstBillGrossMinor ?? estimate.firstBill.est;
  const sumOptions = (pick: (...totals: number[]) => number) =>
    sumBy(damages, ({ options }) => pick(...options.map(({ option }) => option.total.est)));
  return {
    damages,
    overall,
    estimate,
    allOptions: { minMinor: sumOptions(Math.min), maxMinor: sumOptions(Math.max) },
    tax,
    grossMinor,
    firstBillGrossMinor,
    timeline: computeVehicleTimeline(estimate, ctx),
    value,
    reduction,
    lostMinor,
    leftMinor: value.minor - lostMinor,
    totalLoss: judgeTotalLoss(firstBillGrossMinor, value, ctx),
    afterTeardown: estimateAfterTeardown(estimate, ctx),
  };
}

interface DamageFrame {
  readonly claim: ClaimedDamage | undefined;
  readonly panel: PanelRepair;
  readonly items: readonly Item[];
  readonly facts: ValuationFacts;
}

function assessDamage(
  { id, damage, target, changes, trace }: Item,
  { claim, panel, items, facts }: DamageFrame,
  ctx: PricingContext,
): AssessedDamage {
  const together = items.filter((item) => item.target.key === target.key).map((item) => item.damage);
  // What the damage does to the vehicle is its own, not that of the others on its panel.
  const own = together.length === 1 ? panel.option : priceOptions([damage], target, ctx).recommended;
  const structural = judgeStructuralImpact(damage, target, own);
  const valueModifier = chooseDamageModifier(damage.severity, target, panel.option, ctx);
  const { options } = panel;
  const { field, option } = claim?.override ?? {};
  return {
    id,
    damage,
    claimedSeverity: claim?.severity === damage.severity ? undefined : claim?.severity,
    changes:
      field === undefined || option === undefined
        ? changes
        : [...changes, describeOptionChange({ field, option }, together, panel, ctx)],
    structural,
    cosmetic: judgeCosmeticImpact(damage),
    safety: judgeSafetyImpact(damage, target, structural),
    valueModifier,
    valueReductionPercent: computeValueReduction(valueModifier, facts.mileageKm, ctx).percent,
    options: options.options.map((one) => ({
      option: one,
      recommended: one === panel.option,
      reason: options.reasons.get(one.plan.option),
      timeline: computeTimeline(one, ctx),
    })),
    chosen: panel.option,
    trace: [...trace, ...options.trace],
  };
}
