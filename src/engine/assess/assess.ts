import type { AssessmentEnvelope, OverrideApplied } from '../../contract/assessment.ts';
import { severityOf } from '../../domain/judge/severity.ts';
import { gradeClaim, middleScoreOf } from '../../domain/judge/severity-floor.ts';
import { roundHalfUp, toMajor, toMinor } from '../../domain/money.ts';
import { VehiError } from '../../lib/errors.ts';
import { createPricingContext, type PricingContext } from '../../pricing/context.ts';
import type { PricingDamage } from '../../pricing/option/damage.ts';
import { overrideFigures } from '../../pricing/option/override.ts';
import { optionsFor } from '../../pricing/option/recommend.ts';
import { targetOf } from '../../pricing/option/target.ts';
import type { Tables } from '../../pricing/tables/load.ts';
import { estimateVehicle } from '../../pricing/vehicle/vehicle.ts';
import { vehicleClassOf } from '../../pricing/vehicle/vehicle-class.ts';
import {
  type AssessmentCall,
  type CheckedOverride,
  checkAssessmentRequest,
  type SubmittedDamage,
} from './assess-request.ts';
import { type Assessed, presentDamage, presentEstimate, presentSummary } from './present-assessment.ts';
import { type Shown, wireTrace } from './present-option.ts';

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
  const used = [
    tables.regions,
    tables.fx,
    tables.parts,
    tables.operations,
    tables.refinish,
    tables.pdr,
    tables.value,
  ].map(({ name, version, effective_date }) => ({ name, version, effective_date }));
  const digest = [call, ctx.region, ctx.currency, used, deps.softwareVersion].map((piece) =>
    JSON.stringify(piece),
  );
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
      tables: used,
    },
  };
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
