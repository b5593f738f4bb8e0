import type {
  AssessedDamage,
  AssessmentEnvelope,
  AssessmentSummary,
  OverrideApplied,
  VehicleEstimate as WireEstimate,
} from '../contract/assessment.ts';
import type { Severity } from '../domain/damage.ts';
import { VehiError } from '../domain/errors.ts';
import { roundHalfUp, toMajor, toMinor } from '../domain/money.ts';
import { severityOf } from '../domain/severity.ts';
import { checkCurrency, createPricingContext, type PricingContext } from '../pricing/context.ts';
import type { PricingDamage } from '../pricing/damage.ts';
import { cosmeticImpact, overallSeverity, safetyImpact, structuralImpact } from '../pricing/impact.ts';
import { overrideFigures } from '../pricing/override.ts';
import { optionsFor } from '../pricing/recommend.ts';
import { gradeClaim, middleScoreOf } from '../pricing/severity-floor.ts';
import type { Tables } from '../pricing/tables/load.ts';
import { targetOf } from '../pricing/target.ts';
import { vehicleTimeline } from '../pricing/timeline.ts';
import {
  adasNotes,
  marketValue,
  supplementRisk,
  totalLoss,
  totalValueReduction,
  valueReduction,
} from '../pricing/value.ts';
import { estimateVehicle, type Item, type VehicleEstimate } from '../pricing/vehicle.ts';
import { vehicleClassOf } from '../pricing/vehicle-class.ts';
import {
  type AssessmentCall,
  type CheckedOverride,
  checkAssessmentRequest,
  type SubmittedDamage,
} from './assess-request.ts';
import { ADJUSTMENT_WORDS } from './assessment-words.ts';
import { presentLines, presentOption, presentParts, type Shown, wireTrace } from './present-option.ts';

/** What an assessment works with; every door passes its own. */
export interface AssessDeps {
  readonly tables: Tables;
  /** Region and currency where the request names none. */
  readonly defaults: { readonly region: string; readonly currency: string };
  readonly softwareVersion: string;
  now(): Date;
  /** `digest` identifies request and tables, for ids that repeat. */
  assessmentId(digest: readonly string[]): string;
  requestId(): string;
}

const SCHEMA_VERSION = '1.0';

/**
 * Prices the damages of a request: severity, impact, every way of repair, the recommended one, and the vehicle as
 * one job with its value.
 * @throws VehiError kind `input` with the contract's code and field; every wrong field in `details.errors`.
 */
export function assess(body: unknown, deps: AssessDeps): AssessmentEnvelope {
  const started = deps.now();
  const { tables } = deps;
  const call = checkAssessmentRequest(
    body,
    tables.regions.rows.map((row) => row.code),
  );
  const vehicleClass = vehicleClassOf(call.vehicle, tables);
  const ctx = createPricingContext(tables, {
    region: call.region ?? deps.defaults.region,
    currency: call.currency ?? deps.defaults.currency,
    vehicleClass,
    paint: call.vehicle.paint ?? 'unknown',
  });
  const assessed = call.damages.map((damage) => assessDamage(damage, call, ctx));
  const estimate = estimateVehicle(
    assessed.map((one) => one.item),
    ctx,
  );
  const shown: Shown = { partPrices: call.partPrices, timeline: call.timeline };
  const damages = assessed.map((one) => presentDamage(one, call, ctx, shown));
  const created = deps.now();
  const digest = [
    JSON.stringify(call),
    tables.regions.version,
    ctx.region.code,
    ctx.currency,
    deps.softwareVersion,
  ];
  return {
    status: 'success',
    data: {
      assessment_id: deps.assessmentId(digest),
      vehicle_id: call.vehicleId,
      ...(call.inspectionId === undefined ? {} : { inspection_id: call.inspectionId }),
      created_at: created.toISOString(),
      assessed_damages: damages,
      summary: presentSummary(assessed, damages, estimate, call, ctx),
      reports: { pdf_url: null, json_url: null },
      vehicle: { ...call.vehicle, class_used: vehicleClass },
      estimate: presentEstimate(estimate, ctx, shown),
      region: {
        code: ctx.region.code,
        name: ctx.region.name,
        table_version: tables.regions.version,
        effective_date: ctx.region.date,
        source: ctx.region.source,
      },
      warnings: [],
    },
    meta: {
      request_id: deps.requestId(),
      processing_time: Math.round((created.getTime() - started.getTime()) / 10) / 100,
      labor_rate_used: toMajor(ctx.labourRate.est, ctx.currency),
      currency: ctx.currency,
      region: ctx.region.code,
      ...(ctx.fx === undefined ? {} : { fx: ctx.fx }),
      ...(ctx.partsFx === undefined ? {} : { parts_fx: ctx.partsFx }),
      schema_version: SCHEMA_VERSION,
      software_version: deps.softwareVersion,
      tables: [
        tables.regions,
        tables.fx,
        tables.parts,
        tables.operations,
        tables.refinish,
        tables.pdr,
        tables.value,
      ].map(({ name, version, effective_date }) => ({ name, version, effective_date })),
    },
  };
}

/** A damage with its options, and what an adjuster changed. */
interface Assessed {
  readonly item: Item;
  readonly submitted: SubmittedDamage;
  readonly given: Severity | undefined;
  readonly overrides: readonly OverrideApplied[];
  readonly trace: ReturnType<typeof wireTrace>;
}

function assessDamage(submitted: SubmittedDamage, call: AssessmentCall, ctx: PricingContext): Assessed {
  const override = call.overrides.find((one) => one.damage_id === submitted.id);
  const applied: OverrideApplied[] = [];
  const note = (field: OverrideApplied['field'], computed: string | number | null, value: string | number) =>
    applied.push({
      field,
      computed,
      value,
      ...(override?.reason === undefined ? {} : { reason: override.reason }),
    });
  const claim =
    override?.type === undefined
      ? submitted
      : { ...submitted, type: override.type, subtype: override.subtype };
  if (override?.type !== undefined)
    note('type', submitted.subtype ?? submitted.type, override.subtype ?? override.type);
  const graded = gradeClaim(claim);
  let { severity, severityScore } = graded;
  if (override?.severity !== undefined) {
    note('severity', severity, override.severity);
    severity = override.severity;
    if (severityOf(severityScore) !== severity) severityScore = middleScoreOf(severity);
  }
  const damage: PricingDamage = {
    type: claim.type,
    subtype: claim.subtype,
    part: submitted.part,
    severity,
    severityScore,
    sizeCm: submitted.sizeCm,
    count: submitted.count,
  };
  const target = targetOf(damage, ctx);
  const options = optionsFor([damage], target, ctx, override?.option);
  const { recommended } = options;
  if (override?.option !== undefined) {
    if (recommended.plan.option !== override.option) {
      throw unknownOption(
        override,
        options.options.map((option) => option.plan.option),
      );
    }
    note('option', optionsFor([damage], target, ctx).recommended.plan.option, override.option);
  }
  const figures = {
    hoursTenths: override?.hours === undefined ? undefined : roundHalfUp(override.hours * 10),
    partsMinor: override?.price === undefined ? undefined : toMinor(override.price, ctx.currency),
  };
  const changed = figures.hoursTenths !== undefined || figures.partsMinor !== undefined;
  const chosen = changed ? overrideFigures(recommended, target.name, figures, ctx) : recommended;
  if (figures.hoursTenths !== undefined)
    note('hours', recommended.hoursTenths / 10, figures.hoursTenths / 10);
  if (figures.partsMinor !== undefined) {
    note(
      'price',
      toMajor(recommended.partsCost.est, ctx.currency),
      toMajor(figures.partsMinor, ctx.currency),
    );
  }
  return {
    item: {
      id: submitted.id,
      damage,
      options,
      chosen,
      ...(override?.option === undefined ? {} : { prefer: override.option }),
      ...(changed ? { figures } : {}),
    },
    submitted,
    given: submitted.severity,
    overrides: applied,
    trace: wireTrace([...graded.trace, ...options.trace]),
  };
}

function unknownOption(override: CheckedOverride, names: readonly string[]): VehiError {
  return new VehiError(
    'input',
    'INVALID_REQUEST',
    `overrides[${override.index}].option is "${override.option}", which is no option of ${override.damage_id}.`,
    { field: `overrides[${override.index}].option`, hint: `One of ${names.join(', ')}.` },
  );
}

function presentDamage(
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

function presentSummary(
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

function presentEstimate(estimate: VehicleEstimate, ctx: PricingContext, shown: Shown): WireEstimate {
  const isPaint = new Set(estimate.refinish.map((line) => line.operation));
  const materials = estimate.departments.find((row) => row.department === 'materials');
  return {
    panels: estimate.panels.map(({ target, ids, option }) => ({
      part: target.part,
      ...(target.component === undefined ? {} : { component: target.component }),
      damage_ids: [...ids],
      option: option.plan.option,
      repair_type: option.plan.repairType,
      operations: presentLines(
        option.lines.filter((line) => !isPaint.has(line.operation)),
        option.parts,
        ctx,
        shown,
      ),
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
