import type {
  AssessedDamage,
  AssessmentSummary,
  OverrideApplied,
  VehicleEstimate as WireEstimate,
} from '../../contract/assessment.ts';
import type { Severity } from '../../domain/damage.ts';
import { roundHalfUp, toMajor } from '../../domain/money.ts';
import { checkCurrency, type PricingContext } from '../../pricing/context.ts';
import {
  cosmeticImpact,
  overallSeverity,
  safetyImpact,
  structuralImpact,
} from '../../pricing/vehicle/impact.ts';
import type { Item } from '../../pricing/vehicle/panel-repair.ts';
import { vehicleTimeline } from '../../pricing/vehicle/timeline.ts';
import {
  adasNotes,
  marketValue,
  supplementRisk,
  totalLoss,
  totalValueReduction,
  valueReduction,
} from '../../pricing/vehicle/value.ts';
import type { VehicleEstimate } from '../../pricing/vehicle/vehicle.ts';
import type { AssessmentCall, SubmittedDamage } from './assess-request.ts';
import { ADJUSTMENT_WORDS } from './assessment-words.ts';
import { presentLines, presentOption, presentParts, type Shown, type wireTrace } from './present-option.ts';

/** A damage with its options, and what an adjuster changed. */
export interface Assessed {
  readonly item: Item;
  readonly submitted: SubmittedDamage;
  readonly given: Severity | undefined;
  readonly overrides: readonly OverrideApplied[];
  readonly trace: ReturnType<typeof wireTrace>;
}

/** One damage in its wire form. */
export function presentDamage(
  one: Assessed,
  call: AssessmentCall,
  ctx: PricingContext,
  shown: Shown,
): AssessedDamage {
  const { item, submitted, given, overrides } = one;
  const { damage, options, chosen } = item;
  const { currency } = ctx;
  const structural = structuralImpact(damage, options.target, chosen);
  const percent = valueReduction(damage.severity, options.target, chosen, call.vehicle.mileage_km, ctx);
  const major = (minor: number) => toMajor(minor, currency);
  return {
    damage_id: submitted.id,
    type: damage.type,
    location: submitted.part,
    severity: damage.severity,
    severity_score: damage.severityScore,
    impact_assessment: {
      structural,
      cosmetic: cosmeticImpact(damage),
      safety: safetyImpact(damage, options.target, structural),
      affects_value: percent > 0,
      value_reduction_percentage: percent,
    },
    repair_options: options.options.map((option) => {
      const recommended = option === options.recommended;
      const reason = options.reasons.get(option.plan.option);
      return presentOption(recommended ? chosen : option, { recommended, reason }, ctx, shown);
    }),
    recommended_repair: {
      option: chosen.plan.option,
      min_cost: major(chosen.total.min),
      max_cost: major(chosen.total.max),
      estimated_cost: major(chosen.total.est),
      currency,
    },
    ...(damage.subtype === undefined ? {} : { subtype: damage.subtype }),
    ...(damage.sizeCm === undefined ? {} : { size_cm: damage.sizeCm }),
    ...(damage.count === undefined ? {} : { count: damage.count }),
    ...(given !== undefined && given !== damage.severity ? { severity_given: given } : {}),
    ...(overrides.length === 0 ? {} : { overrides: [...overrides] }),
    explain: one.trace,
  };
}

/** The summary in its wire form: sums, departments, days, value, risks. */
export function presentSummary(
  assessed: readonly Assessed[],
  damages: readonly AssessedDamage[],
  estimate: VehicleEstimate,
  call: AssessmentCall,
  ctx: PricingContext,
): AssessmentSummary {
  const { currency, region } = ctx;
  const major = (minor: number) => toMajor(minor, currency);
  const range = (one: { min: number; est: number; max: number }) => ({
    min: major(one.min),
    max: major(one.max),
    estimated: major(one.est),
    currency,
  });
  const overall = overallSeverity(assessed.map((one) => one.item.damage));
  const reduction = totalValueReduction(
    damages.map((damage) => damage.impact_assessment.value_reduction_percentage),
    ctx,
  );
  const { vehicle } = call;
  const given =
    vehicle.market_value === undefined
      ? undefined
      : {
          amount: vehicle.market_value,
          currency: checkCurrency(vehicle.currency ?? currency, 'vehicle.currency'),
        };
  const value = marketValue(given, ctx);
  const lostMinor = roundHalfUp((value.minor * reduction.percent) / 100);
  const loss = totalLoss(estimate.adjusted.est, value.minor, ctx);
  const risk = supplementRisk(overall.severity, loss.nearThreshold, ctx);
  const timeline = vehicleTimeline(estimate, ctx);
  const totals = assessed
    .map((one) => one.item)
    .map(({ options, chosen }) =>
      options.options.map((option) => (option === options.recommended ? chosen : option).total.est),
    );
  const goods = estimate.departments
    .filter((row) => row.department === 'parts' || row.department === 'materials')
    .reduce((sum, row) => sum + row.totalMinor, 0);
  return {
    total_damages_assessed: damages.length,
    overall_severity: overall.severity,
    overall_severity_score: overall.score,
    total_value_reduction_percentage: reduction.percent,
    repair_cost_summary: {
      recommended_repairs_total: range(estimate.recommended),
      all_repairs_range: {
        min: major(totals.reduce((sum, all) => sum + Math.min(...all), 0)),
        max: major(totals.reduce((sum, all) => sum + Math.max(...all), 0)),
        currency,
      },
      adjustments: estimate.adjustments.map(({ code, hoursTenths, amount }) => ({
        code,
        description: ADJUSTMENT_WORDS[code],
        hours: hoursTenths / 10,
        min: major(amount.min),
        max: major(amount.max),
        estimated: major(amount.est),
        currency,
      })),
      adjusted_total: range(estimate.adjusted),
      ...(region.tax_rate > 0
        ? {
            tax: {
              rate_percentage: Math.round(region.tax_rate * 10000) / 100,
              taxable: major(goods),
              amount: major(roundHalfUp(goods * region.tax_rate)),
              currency,
            },
          }
        : {}),
      departments: estimate.departments.map(({ department, hoursTenths, rateMinor, totalMinor }) => ({
        department,
        hours: hoursTenths / 10,
        rate_per_hour: rateMinor === null ? null : major(rateMinor),
        total: major(totalMinor),
        currency,
      })),
    },
    ...(call.timeline
      ? {
          repair_timeline: {
            estimated_total_days: timeline.days,
            can_repair_simultaneously: timeline.simultaneous,
            formula: timeline.formula,
          },
        }
      : {}),
    impact_on_vehicle_value: {
      estimated_market_value: major(value.minor),
      value_reduction: major(lostMinor),
      adjusted_value: major(value.minor - lostMinor),
      currency,
      basis: value.basis,
      formula: reduction.formula,
    },
    total_loss: {
      is_total_loss: loss.isTotalLoss,
      near_threshold: loss.nearThreshold,
      rule: region.total_loss.rule,
      threshold_percentage: Math.round(region.total_loss.threshold * 10000) / 100,
      repair_cost: major(estimate.adjusted.est),
      salvage_value: major(loss.salvageMinor),
      vehicle_value: major(value.minor),
      ratio_percentage: Math.round(loss.ratio * 10000) / 100,
      currency,
      formula: loss.formula,
      source: region.total_loss.source,
    },
    supplement_risk: {
      level: risk.level,
      probability_min: risk.probability[0],
      probability_max: risk.probability[1],
      additional_cost: { min: major(risk.amountMinor[0]), max: major(risk.amountMinor[1]), currency },
      formula: risk.formula,
      source: risk.source,
    },
    adas_notes: adasNotes(estimate, ctx).map(({ amountMinor: [low, high], ...note }) => ({
      ...note,
      amount: { min: major(low), max: major(high), currency },
      included_in_total: false as const,
    })),
  };
}

/** The vehicle as one job in its wire form. */
export function presentEstimate(estimate: VehicleEstimate, ctx: PricingContext, shown: Shown): WireEstimate {
  const materials = estimate.departments.find((row) => row.department === 'materials');
  return {
    panels: estimate.panels.map(({ target, ids, option, work }) => ({
      part: target.part,
      ...(target.component === undefined ? {} : { component: target.component }),
      damage_ids: [...ids],
      option: option.plan.option,
      repair_type: option.plan.repairType,
      operations: presentLines(work, option.parts, ctx, shown),
      parts_required: presentParts(
        option.parts.filter((part) => part.part !== ctx.tables.operations.materials.consumable),
        ctx,
        shown,
      ),
    })),
    refinish: presentLines(estimate.refinish, [], ctx, shown),
    paint_materials: {
      refinish_hours: estimate.refinishTenths / 10,
      rate_per_hour: toMajor(ctx.materials.est, ctx.currency),
      total: toMajor(materials?.totalMinor ?? 0, ctx.currency),
      currency: ctx.currency,
    },
  };
}
