import type { AssessedDamage as WireDamage } from '../../contract/assessment/damage.ts';
import type { AssessmentSummary } from '../../contract/assessment/summary.ts';
import { toMajor } from '../../domain/money.ts';
import { toPercent } from '../../lib/numbers.ts';
import { defined } from '../../lib/objects.ts';
import type { PricingContext, Spread } from '../../pricing/pricing-context.ts';
import type { AssessedDamage, VehicleAssessment } from '../../pricing/vehicle/assess-vehicle.ts';
import { presentRange } from '../present-repair.ts';
import { type IncludedDetails, presentOption } from './present-option.ts';

/** Converts a damage to its wire format; `sizeErrorCm` is the half-width of the interval of its size. */
export function presentDamage(
  one: AssessedDamage,
  sizeErrorCm: number | undefined,
  ctx: PricingContext,
  shown: IncludedDetails,
): WireDamage {
  const { damage, chosen } = one;
  const { currency } = ctx;
  return {
    damage_id: one.id,
    type: damage.type,
    location: damage.part,
    severity: damage.severity,
    severity_score: damage.severityScore,
    impact_assessment: {
      structural: one.structural,
      cosmetic: one.cosmetic,
      safety: one.safety,
      affects_value: one.affectsValue,
      value_reduction_percentage: one.valueReductionPercent,
    },
    repair_options: one.options.map((option) => presentOption(option, ctx, shown)),
    recommended_repair: {
      option: chosen.plan.option,
      min_cost: toMajor(chosen.total.min, currency),
      max_cost: toMajor(chosen.total.max, currency),
      estimated_cost: toMajor(chosen.total.est, currency),
      currency,
    },
    ...defined({
      subtype: damage.subtype,
      size_cm: damage.sizeCm,
      size_uncertainty_cm: sizeErrorCm,
      count: damage.count,
      severity_given: one.severityGiven,
    }),
    ...(one.changes.length > 0 && { overrides: [...one.changes] }),
    explain: [...one.trace],
  };
}

function presentCosts(
  result: VehicleAssessment,
  ctx: PricingContext,
): AssessmentSummary['repair_cost_summary'] {
  const { currency } = ctx;
  const { estimate, afterTeardown: after, tax } = result;
  const major = (minor: number) => toMajor(minor, currency);
  const range = (one: Spread) => presentRange(one, currency);
  return {
    first_bill: range(estimate.firstBill),
    as_seen: range(estimate.total),
    ...(after && {
      after_teardown: {
        ...range(after.total),
        added_percentage: toPercent(after.share),
        source: after.source,
      },
    }),
    first_bill_gross: major(result.firstBillGrossMinor),
    recommended_repairs_total: range(estimate.recommended),
    all_repairs_range: {
      min: major(result.allOptions.minMinor),
      max: major(result.allOptions.maxMinor),
      currency,
    },
    adjustments: estimate.adjustments.map(({ hoursTenths, amount, ...named }) => ({
      ...named,
      hours: hoursTenths / 10,
      ...range(amount),
    })),
    adjusted_total: range(estimate.total),
    net_total: major(estimate.total.est),
    gross_total: major(result.grossMinor),
    ...(estimate.expectedMinor !== undefined && { expected_total: major(estimate.expectedMinor) }),
    range_meaning: ctx.tables.spreads.meaning,
    ...(tax && {
      tax: {
        name: tax.name,
        base: tax.base,
        rate_percentage: toPercent(tax.rate),
        taxable: major(tax.taxableMinor),
        amount: major(tax.amountMinor),
        net_total: major(tax.netMinor),
        gross_total: major(tax.grossMinor),
        currency,
        source: tax.source,
      },
    }),
    departments: estimate.departments.map(({ department, hoursTenths, rateMinor, totalMinor }) => ({
      department,
      hours: hoursTenths / 10,
      rate_per_hour: rateMinor === null ? null : major(rateMinor),
      total: major(totalMinor),
      currency,
    })),
  };
}

/** Converts the summary to wire format: totals, departments, days, value, risks. */
export function presentSummary(
  result: VehicleAssessment,
  ctx: PricingContext,
  shown: IncludedDetails,
): AssessmentSummary {
  const { currency } = ctx;
  const { timeline, value } = result;
  return {
    total_damages_assessed: result.damages.length,
    overall_severity: result.overall.severity,
    overall_severity_score: result.overall.score,
    total_value_reduction_percentage: result.reduction.percent,
    repair_cost_summary: presentCosts(result, ctx),
    ...(shown.timeline && {
      repair_timeline: {
        estimated_total_days: timeline.days,
        can_repair_simultaneously: timeline.simultaneous,
        formula: timeline.formula,
      },
    }),
    impact_on_vehicle_value: {
      estimated_market_value: toMajor(value.minor, currency),
      value_reduction: toMajor(result.lostMinor, currency),
      adjusted_value: toMajor(result.leftMinor, currency),
      currency,
      basis: value.basis,
      rule: ctx.region.value_reduction?.rule ?? 'none',
      formula: result.reduction.formula,
      value_formula: value.formula,
    },
    total_loss: presentLoss(result, ctx),
  };
}

function presentLoss({ totalLoss: loss, value }: VehicleAssessment, ctx: PricingContext) {
  const { currency, region } = ctx;
  return {
    verdict: loss.verdict,
    is_total_loss: loss.verdict === 'total_loss',
    near_threshold: loss.verdict === 'near_threshold',
    rule: region.total_loss.rule,
    threshold_percentage: loss.thresholdPercent,
    repair_cost: toMajor(loss.repairMinor, currency),
    salvage_value: toMajor(loss.salvageMinor, currency),
    vehicle_value: toMajor(value.minor, currency),
    ratio_percentage: loss.ratioPercent,
    currency,
    formula: loss.formula,
    source: region.total_loss.source,
  };
}
