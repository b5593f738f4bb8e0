import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import { SCHEMA_VERSION } from '../../contract/constants.ts';
import { toMajor } from '../../domain/money.ts';
import { toSeconds } from '../../lib/durations.ts';
import { makeContentId } from '../../lib/ids.ts';
import { deepFreeze, defined } from '../../lib/objects.ts';
import { listCurrencies } from '../../pricing/currencies.ts';
import { listRepairLines } from '../../pricing/lines/repair-lines.ts';
import type { PricingContext } from '../../pricing/pricing-context.ts';
import type { Tables } from '../../pricing/tables/load.ts';
import { assessVehicle } from '../../pricing/vehicle/assess-vehicle.ts';
import type { ValuationFacts } from '../../pricing/vehicle/value.ts';
import { presentRepairLines } from '../present-repair.ts';
import { createVehicleContext, presentRegion } from '../pricer.ts';
import { presentDamage, presentSummary } from './present-assessment.ts';
import { presentAgreed, presentEstimateLines } from './present-lines.ts';
import { type CheckedAssessment, checkAssessmentRequest } from './read.ts';

/** Default region and currency of a request; without a currency, an own region uses its own, any other USD. */
export interface PriceDefaults {
  readonly region: string;
  readonly currency?: string | undefined;
}

/** Options of an assessment; ids are derived from the content unless set. */
export interface AssessOptions {
  readonly defaults: PriceDefaults;
  /** Currencies a request may name; default: every currency with an exchange rate. */
  readonly currencies?: readonly string[];
  readonly assessmentId?: string;
  readonly requestId?: string;
}

interface AssessDeps extends AssessOptions {
  readonly tables: Tables;
  readonly softwareVersion: string;
  now(): Date;
}

/** Converts the facts of the vehicle to valuation input. */
function collectFacts({ vehicle }: CheckedAssessment, currency: string, now: Date): ValuationFacts {
  const { market_value: amount, year, mileage_km: mileageKm } = vehicle;
  const code = vehicle.currency ?? currency;
  return {
    ...(amount === undefined ? {} : { marketValue: { amount, currency: code } }),
    year,
    mileageKm,
    asOfYear: now.getUTCFullYear(),
  };
}

/** Validates a request and prices its vehicle. */
function priceRequest(body: unknown, deps: AssessDeps, started: Date) {
  const { tables } = deps;
  const call = checkAssessmentRequest(
    body,
    tables.regions.rows.map((row) => row.code),
    deps.currencies ?? listCurrencies(tables),
  );
  const { region = deps.defaults.region, currency = deps.defaults.currency, associated } = call;
  const ctx = createVehicleContext(tables, { region, currency, ...defined({ associated }) }, call.vehicle);
  const edits = call.readEdits(ctx.currency);
  const facts = collectFacts(call, ctx.currency, started);
  const result = assessVehicle(call.damages, facts, ctx, edits);
  return { call, ctx, edits, result };
}

/** Lists the names, versions and dates of all tables used for pricing, that of the regions by the region's row. */
function listUsedTables({ tables, region }: PricingContext) {
  return [
    { ...tables.regions, effective_date: region.date },
    tables.fx,
    tables.parts,
    tables.operations,
    tables.refinish,
    tables.pdr,
    tables.value,
    tables.associated,
    tables.spreads,
  ].map(({ name, version, effective_date }) => ({ name, version, effective_date }));
}

/**
 * Prices the damages of a request: severity, impact, all repair options, the recommended one, and the vehicle as one
 * job with its value.
 * @throws VehiError kind `input` with the contract's code and field; every wrong field in `details.errors`.
 */
export function assess(body: unknown, deps: AssessDeps): AssessmentEnvelope {
  const started = deps.now();
  const { call, ctx, edits, result } = priceRequest(body, deps, started);
  const created = deps.now();
  const used = listUsedTables(ctx);
  const { readEdits: _, unknown: ignored, claimFile: file, ...asked } = call;
  const idParts = [{ ...asked, edits, file }, ctx.region, ctx.currency, used, deps.softwareVersion].map(
    (part) => JSON.stringify(part),
  );
  return deepFreeze<AssessmentEnvelope>({
    status: 'success',
    data: {
      assessment_id: deps.assessmentId ?? makeContentId('asmt', idParts),
      vehicle_id: call.vehicleId,
      ...defined({ inspection_id: call.inspectionId }),
      created_at: created.toISOString(),
      assessed_damages: result.damages.map((one, i) =>
        presentDamage(one, call.damages[i]?.sizeErrorCm, ctx, call),
      ),
      summary: presentSummary(result, ctx, call),
      reports: { pdf_url: null, json_url: null },
      ...defined({ claim: file.claim }),
      vehicle: { ...call.vehicle, ...file.vehicle, class_used: ctx.vehicleClass },
      estimate: {
        associated_operations: ctx.associated,
        ...presentAgreed(edits, ctx),
        lines: presentEstimateLines(result.estimate.lines, ctx, call),
        repair_lines: presentRepairLines(
          listRepairLines(result.estimate, ctx),
          result.damages.map((one) => ({ ...one.damage, id: one.id })),
          ctx.currency,
        ),
      },
      region: presentRegion(ctx),
      warnings:
        ctx.region.level_note === undefined ? [] : [{ code: 'region_level', message: ctx.region.level_note }],
    },
    meta: {
      request_id: deps.requestId ?? makeContentId('req', [deps.now().toISOString(), JSON.stringify(body)]),
      processing_time: toSeconds(created.getTime() - started.getTime()),
      labor_rate_used: toMajor(ctx.laborRate.est, ctx.currency),
      currency: ctx.currency,
      region: ctx.region.code,
      ...defined({ fx: ctx.fx, parts_fx: ctx.partsFx }),
      schema_version: SCHEMA_VERSION,
      software_version: deps.softwareVersion,
      tables: used,
      ...(ignored.length === 0 ? {} : { warnings: [...ignored] }),
    },
  });
}
