import { roundHalfAway } from '../../domain/money.ts';
import { sumBy } from '../../lib/lists.ts';
import type { LineEdits } from '../lines/edit-lines.ts';
import type { PanelRepair } from '../option/panel-repair.ts';
import { priceOptions } from '../option/recommend.ts';
import type { PricingContext } from '../pricing-context.ts';
import { estimateVehicle } from './estimate-vehicle.ts';
import {
  computeOverallSeverity,
  judgeCosmeticImpact,
  judgeSafetyImpact,
  judgeStructuralImpact,
} from './impact.ts';
import {
  type ClaimedDamage,
  describeOptionChange,
  type GradedDamage,
  gradeClaimedDamage,
} from './override.ts';
import { computeTax } from './tax.ts';
import { estimateAfterTeardown } from './teardown.ts';
import { computeTimeline, computeVehicleTimeline } from './timeline.ts';
import { findMarketValue, judgeTotalLoss, type ValuationFacts } from './value.ts';
import { chooseDamageModifier, computeValueReduction } from './value-reduction.ts';

/** A completed vehicle assessment in minor units of the response currency, ready for presentation. */
export type VehicleAssessment = ReturnType<typeof assessVehicle>;
export type AssessedDamage = VehicleAssessment['damages'][number];

/**
 * Assesses a vehicle: options and impact of each damage, the combined repair, duration, tax, value and total loss.
 * @throws VehiError INVALID_REQUEST for an invalid override or line edit.
 */
export function assessVehicle(
  claims: readonly ClaimedDamage[],
  facts: ValuationFacts,
  ctx: PricingContext,
  edits?: LineEdits,
) {
  const items = claims.map((claim) => gradeClaimedDamage(claim, ctx));
  const estimate = estimateVehicle(items, ctx, edits);
  const damages = items.map((item) => {
    const panel = estimate.panels.find(({ target }) => target.key === item.target.key);
    if (panel === undefined) throw new Error(`no panel for ${item.id}`);
    return assessDamage(item, panel, facts.mileageKm, ctx);
  });
  const worst = Math.max(0, ...damages.map(({ valueModifier }) => valueModifier));
  const reduction = computeValueReduction(worst, facts.mileageKm, ctx);
  const value = findMarketValue(facts, ctx);
  const lostMinor = roundHalfAway((value.minor * reduction.percent) / 100);
  const tax = computeTax(estimate, ctx);
  const firstBillGrossMinor = tax?.firstBillGrossMinor ?? estimate.firstBill.est;
  const sumOptions = (pick: (...totals: number[]) => number) =>
    sumBy(damages, ({ options }) => pick(...options.map(({ option }) => option.total.est)));
  return {
    damages,
    overall: computeOverallSeverity(damages.map((one) => one.damage)),
    estimate,
    /** Sums of the cheapest and of the most expensive options of all damages. */
    allOptions: { minMinor: sumOptions(Math.min), maxMinor: sumOptions(Math.max) },
    tax,
    grossMinor: tax?.grossMinor ?? estimate.total.est,
    firstBillGrossMinor,
    timeline: computeVehicleTimeline(estimate, ctx),
    value,
    reduction,
    /** Loss of market value, and the remaining value. */
    lostMinor,
    leftMinor: value.minor - lostMinor,
    totalLoss: judgeTotalLoss(firstBillGrossMinor, value, ctx),
    afterTeardown: estimateAfterTeardown(estimate, ctx),
  };
}

function assessDamage(
  { id, claim: { override }, damage, target, severityGiven, changes, trace }: GradedDamage,
  panel: PanelRepair,
  mileageKm: number | undefined,
  ctx: PricingContext,
) {
  // A damage's impact considers this damage alone, not the others on its panel.
  const own = panel.damages.length === 1 ? panel.option : priceOptions([damage], target, ctx).recommended;
  const structural = judgeStructuralImpact(damage, target, own);
  const valueModifier = chooseDamageModifier(damage.severity, target, panel.option, ctx);
  const { options } = panel;
  return {
    id,
    damage,
    severityGiven,
    changes:
      override?.option === undefined
        ? changes
        : [...changes, describeOptionChange(override, override.option, panel, ctx)],
    structural,
    cosmetic: judgeCosmeticImpact(damage),
    safety: judgeSafetyImpact(damage, target, structural),
    /** 17c damage modifier of the loss of value; 0 if there is no loss. */
    valueModifier,
    affectsValue: valueModifier > 0,
    /** Percentage of the market value. */
    valueReductionPercent: computeValueReduction(valueModifier, mileageKm, ctx).percent,
    options: options.options.map((one) => ({
      option: one,
      recommended: one === panel.option,
      reason: options.reasons.get(one.plan.option),
      timeline: computeTimeline(one, ctx),
    })),
    /** The option chosen for its panel, covering all damages there. */
    chosen: panel.option,
    trace: [...trace, options.trace],
  };
}
