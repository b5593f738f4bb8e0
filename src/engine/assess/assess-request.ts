import { type AssessmentRequest, AssessmentRequestSchema } from '../../contract/assessment/request.ts';
import type { SettlementTermsGiven } from '../../contract/assessment/settlement.ts';
import type { Vehicle } from '../../contract/claim.ts';
import type { ClaimFile } from '../../domain/claim-file.ts';
import type { Currency } from '../../domain/money.ts';
import { findDeductionFaults } from '../../domain/settlement.ts';
import { EQUIPMENT_FACTS } from '../../domain/vehicle.ts';
import { findFaults } from '../../lib/check.ts';
import { describeFound, dropNulls, type FieldFault, isObject } from '../../lib/fields.ts';
import { findUnknownFields, type UnknownField } from '../../lib/unknown-fields.ts';
import type { LineEdits } from '../../pricing/lines/edit-lines.ts';
import type { SettlementTerms } from '../../pricing/lines/settlement.ts';
import { readClaimFile } from './claim-request.ts';
import { findRepeatedDamages, readDamage, type SubmittedDamage } from './damage-request.ts';
import { findEditFaults, readLineEdits } from './line-request.ts';
import { type CheckedOverride, findOverrideFaults, readOverride } from './override-request.ts';
import { createRequestRules, REQUEST, refuseFaults } from './request-rules.ts';
import { readSettlement } from './settlement-request.ts';
import { type EarlierVersion, findVersionFault, readSupplementTo } from './supplement-request.ts';

/** An assessment request, checked. */
export interface AssessmentCall {
  readonly vehicleId: string;
  readonly inspectionId: string | undefined;
  readonly damages: readonly SubmittedDamage[];
  readonly timeline: boolean;
  readonly partPrices: boolean;
  readonly region: string | undefined;
  readonly currency: string | undefined;
  readonly associated: 'off' | 'likely' | 'all' | undefined;
  readonly vehicle: Vehicle;
  readonly overrides: readonly CheckedOverride[];
  readonly edits: (currency: Currency) => LineEdits;
  readonly settlement: ((currency: Currency) => SettlementTerms) | undefined;
  /** The terms as they were given, for the answer. */
  readonly terms: SettlementTermsGiven | undefined;
  readonly supplementTo: EarlierVersion | undefined;
  readonly file: ClaimFile;
  /** What the request has that nothing reads. */
  readonly unknown: readonly UnknownField[];
}

/**
 * Checks an assessment request as it came over the wire or from a file: first by the schema of the contract, then by
 * what one field says of another.
 * @throws VehiError INVALID_DAMAGE_DATA, INVALID_REQUEST, INVALID_REGION or INVALID_CURRENCY for the first wrong
 * field, with every wrong field in `details.errors`.
 */
export function checkAssessmentRequest(
  body: unknown,
  regions: readonly string[],
  currencies: readonly Currency[],
): AssessmentCall {
  refuseFaults(
    isObject(body)
      ? findFaults(AssessmentRequestSchema, body, createRequestRules(regions, currencies))
      : makeNotAnObjectFault(body),
  );
  const request = dropNulls(body) as AssessmentRequest;
  const { assessment_options: options = {}, overrides = [], line_edits = [], settlement } = request;
  refuseFaults([
    ...findRepeatedDamages(request.damages),
    ...findOverrideFaults(overrides, request.damages),
    ...findEditFaults(line_edits),
    ...findDeductionFaults(settlement).map(({ says, ...fault }) => ({
      ...fault,
      code: REQUEST,
      message: `${fault.field} ${says}`,
    })),
    ...findVersionFault(request.supplement_to),
  ]);
  return {
    vehicleId: request.vehicle_id,
    inspectionId: request.inspection_id,
    damages: request.damages.map(readDamage),
    timeline: options.include_repair_timeline ?? true,
    partPrices: options.include_part_prices ?? true,
    region: options.labor_rate_region,
    associated: options.associated_operations,
    currency: options.currency,
    vehicle: pickPricingFacts(request.vehicle),
    overrides: overrides.map(readOverride),
    edits: readLineEdits(line_edits),
    settlement: settlement && readSettlement(settlement),
    terms: settlement,
    supplementTo: request.supplement_to && readSupplementTo(request.supplement_to),
    file: readClaimFile(request),
    unknown: findUnknownFields(AssessmentRequestSchema, body),
  };
}

function makeNotAnObjectFault(body: unknown): readonly FieldFault[] {
  const message = `The request is ${describeFound(body)}; an object with vehicle_id and damages is needed.`;
  return [{ code: REQUEST, field: 'body', message }];
}

const PRICING_FACTS = [
  ...(['make', 'model', 'year', 'mileage_km', 'market_value', 'currency', 'class', 'paint'] as const),
  ...EQUIPMENT_FACTS,
];

/** Returns what prices a vehicle, without what identifies it. */
function pickPricingFacts(vehicle: Vehicle = {}): Vehicle {
  return Object.fromEntries(
    PRICING_FACTS.flatMap((name) => (vehicle[name] === undefined ? [] : [[name, vehicle[name]]])),
  );
}
