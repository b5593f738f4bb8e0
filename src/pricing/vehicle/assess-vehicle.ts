import type { Severity } from '../../domain/damage.ts';
import type { SeverityClaim } from '../../domain/judge/severity-floor.ts';
import { roundHalfAway } from '../../domain/money.ts';
import { sumOf } from '../../lib/sum.ts';
import {
  compareVersions,
  type EarlierEstimate,
  type EstimateDifference,
  nameNextVersion,
} from '../lines/difference.ts';
import type { LineEdits } from '../lines/edit-lines.ts';
import { type PricedLine, priceEstimateLines } from '../lines/priced-line.ts';
import { type Settlement, type SettlementTerms, settle } from '../lines/settlement.ts';
import type { PricedOption } from '../option/price.ts';
import type { Reason } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import {
  computeOverallSeverity,
  type Impact,
  judgeCosmeticImpact,
  judgeSafetyImpact,
  judgeStructuralImpact,
} from './impact.ts';
import { type AdasNote, type AfterTeardown, estimateAfterTeardown, listAdasNotes } from './notes.ts';
import { type DamageOverride, decideDamage, type Item } from './override.ts';
import { computeTax, type Tax } from './tax.ts';
import { computeTimeline, computeVehicleTimeline, type Timeline, type VehicleTimeline } from './timeline.ts';
import {
  findMarketValue,
  judgeTotalLoss,
  type MarketValue,
  type TotalLoss,
  type VehicleFacts,
} from './value.ts';
import { chooseDamageModifier, computeValueReduction, type ValueReduction } from './value-reduction.ts';
import { estimateVehicle, type VehicleEstimate } from './vehicle.ts';

/** A damage as a caller submits it, with an adjuster's correction where there is one. */
export interface ClaimedDamage extends SeverityClaim {
  readonly id: string;
  readonly count?: number | undefined;
  readonly override?: DamageOverride | undefined;
}

/** One way to repair a damage, with its days and, where it is not the recommended one, the reason. */
export interface AssessedOption {
  readonly option: PricedOption;
  readonly recommended: boolean;
  readonly reason: Reason | undefined;
  readonly timeline: Timeline;
}

/** A damage with everything computed for it; `valueReductionPercent` of the market value. */
export interface AssessedDamage extends Pick<Item, 'id' | 'damage' | 'chosen' | 'changes' | 'trace'> {
  /** The severity submitted, where the rules or an adjuster changed it. */
  readonly given: Severity | undefined;
  readonly structural: Impact;
  readonly cosmetic: ReturnType<typeof judgeCosmeticImpact>;
  readonly safety: Impact;
  /** Damage modifier of the loss of value; 0 where it loses none. */
  readonly valueModifier: number;
  readonly valueReductionPercent: number;
  readonly options: readonly AssessedOption[];
}

/** What a person or an earlier version gives an assessment besides the damages. */
export interface AssessmentTerms {
  readonly edits?: LineEdits | undefined;
  readonly settlement?: SettlementTerms | undefined;
  /** The version that this one follows. */
  readonly earlier?: EarlierEstimate | undefined;
}

/**
 * The assessment of a vehicle, finished: what is left is to name and print it. Minor units of the response currency.
 */
export interface VehicleAssessment {
  readonly damages: readonly AssessedDamage[];
  readonly overall: ReturnType<typeof computeOverallSeverity>;
  readonly estimate: VehicleEstimate;
  /** The whole estimate as lines, with what each comes to. */
  readonly lines: readonly PricedLine[];
  /** `E01` for the estimate of record, then `S01` and so on. */
  readonly version: string;
  /** What a supplement changes; undefined for the estimate of record. */
  readonly difference: EstimateDifference | undefined;
  /** Sum of the cheapest, and of the most expensive, options of all damages. */
  readonly allOptions: { readonly minMinor: number; readonly maxMinor: number };
  readonly tax: Tax | undefined;
  /** The estimate with tax. */
  readonly grossMinor: number;
  /** The first bill with tax. */
  readonly firstBillGrossMinor: number;
  /** Who pays what, where terms were given. */
  readonly settlement: Settlement | undefined;
  readonly timeline: VehicleTimeline;
  readonly value: MarketValue;
  readonly reduction: ValueReduction;
  /** The market value's loss, and what is left. */
  readonly lostMinor: number;
  readonly leftMinor: number;
  readonly totalLoss: TotalLoss;
  /** Undefined where nothing is taken apart. */
  readonly afterTeardown: AfterTeardown | undefined;
  readonly adas: readonly AdasNote[];
}

/**
 * Computes everything an assessment says: each damage's options and impact, the vehicle as one repair, its days, tax,
 * value, risks and who pays what.
 * @throws VehiError INVALID_REQUEST for an override, an edit of a line or a deduction that does not fit.
 */
export function assessVehicle(
  claims: readonly ClaimedDamage[],
  facts: VehicleFacts,
  ctx: PricingContext,
  { edits, settlement, earlier }: AssessmentTerms = {},
): VehicleAssessment {
  const decided = claims.map((claim) => decideDamage(claim, claim.override, ctx));
  const damages = decided.map((one, i) => assessDamage(one, claims[i]?.severity, facts, ctx));
  const estimate = estimateVehicle(decided, ctx, edits);
  const overall = computeOverallSeverity(damages.map((one) => one.damage));
  const worst = Math.max(0, ...damages.map(({ valueModifier }) => valueModifier));
  const reduction = computeValueReduction(worst, facts.mileageKm, ctx);
  const value = findMarketValue(facts, ctx);
  const lostMinor = roundHalfAway((value.minor * reduction.percent) / 100);
  const tax = computeTax(estimate, ctx);
  const grossMinor = tax?.grossMinor ?? estimate.total.est;
  const lines = priceEstimateLines(estimate.lines, ctx);
  const firstBillGrossMinor = tax?.firstBillGrossMinor ?? estimate.firstBill.est;
  const addOptions = (pick: (...totals: number[]) => number) =>
    sumOf(damages, ({ options }) => pick(...options.map(({ option }) => option.total.est)));
  return {
    damages,
    overall,
    estimate,
    lines,
    version: nameNextVersion(earlier?.version),
    difference: earlier && compareVersions(earlier, { lines, netMinor: estimate.total.est, grossMinor }),
    allOptions: { minMinor: addOptions(Math.min), maxMinor: addOptions(Math.max) },
    tax,
    grossMinor,
    firstBillGrossMinor,
    settlement: settlement && settle(settlement, { lines: estimate.lines, grossMinor, tax }, ctx),
    timeline: computeVehicleTimeline(estimate, ctx),
    value,
    reduction,
    lostMinor,
    leftMinor: value.minor - lostMinor,
    totalLoss: judgeTotalLoss(firstBillGrossMinor, value, ctx),
    afterTeardown: estimateAfterTeardown(estimate, ctx),
    adas: listAdasNotes(estimate, ctx),
  };
}

function assessDamage(
  { id, damage, options, chosen, changes, trace }: Item,
  given: Severity | undefined,
  facts: VehicleFacts,
  ctx: PricingContext,
): AssessedDamage {
  const { target } = options;
  const structural = judgeStructuralImpact(damage, target, chosen);
  const valueModifier = chooseDamageModifier(damage.severity, target, chosen, ctx);
  return {
    id,
    damage,
    given: given === damage.severity ? undefined : given,
    changes,
    structural,
    cosmetic: judgeCosmeticImpact(damage),
    safety: judgeSafetyImpact(damage, target, structural),
    valueModifier,
    valueReductionPercent: computeValueReduction(valueModifier, facts.mileageKm, ctx).percent,
    options: options.options.map((option) => {
      const recommended = option === options.recommended;
      const shown = recommended ? chosen : option;
      return {
        option: shown,
        recommended,
        reason: options.reasons.get(option.plan.option),
        timeline: computeTimeline(shown, ctx),
      };
    }),
    chosen,
    trace,
  };
}
