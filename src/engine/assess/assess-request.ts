import type { Vehicle } from '../../contract/assessment/request.ts';
import type { SettlementTermsGiven } from '../../contract/assessment/settlement.ts';
import type { ClaimFile } from '../../domain/claim-file.ts';
import type { Currency } from '../../domain/money.ts';
import { FieldReader, found, isObject, type Json } from '../../lib/fields.ts';
import { ASSOCIATED_MODES } from '../../pricing/context.ts';
import type { LineEdits } from '../../pricing/lines/edit-lines.ts';
import type { SettlementTerms } from '../../pricing/lines/settlement.ts';
import { readClaimFile } from './claim-request.ts';
import { readDamages, type SubmittedDamage } from './damage-request.ts';
import { readLineEdits } from './line-request.ts';
import { type CheckedOverride, readOverrides } from './override-request.ts';
import { readSettlement } from './settlement-request.ts';
import { type EarlierVersion, readSupplementTo } from './supplement-request.ts';
import { readVehicle } from './vehicle-request.ts';

const REQUEST = 'INVALID_REQUEST';

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
}

/**
 * Checks an assessment request as it came over the wire or from a file.
 * @throws VehiError INVALID_DAMAGE_DATA, INVALID_REQUEST, INVALID_REGION or INVALID_CURRENCY for the first wrong
 * field, with every wrong field in `details.errors`.
 */
export function checkAssessmentRequest(
  body: unknown,
  regions: readonly string[],
  currencies: readonly Currency[],
): AssessmentCall {
  const read = new FieldReader();
  if (!isObject(body)) {
    read.fault(
      REQUEST,
      'body',
      `The request is ${found(body)}; an object with vehicle_id and damages is needed.`,
    );
    read.finish();
  }
  const request = body as Json;
  const vehicleId = read.text(request.vehicle_id, 'vehicle_id', REQUEST, 128);
  if (request.vehicle_id === undefined || request.vehicle_id === null) {
    read.fault(REQUEST, 'vehicle_id', 'vehicle_id is missing.');
  }
  const damages = readDamages(request.damages, read);
  const options = read.object(request.assessment_options, 'assessment_options', REQUEST);
  const call: AssessmentCall = {
    vehicleId: vehicleId ?? '',
    inspectionId: read.text(request.inspection_id, 'inspection_id', REQUEST, 128),
    damages,
    timeline: read.flag(
      options.include_repair_timeline,
      'assessment_options.include_repair_timeline',
      REQUEST,
      true,
    ),
    partPrices: read.flag(
      options.include_part_prices,
      'assessment_options.include_part_prices',
      REQUEST,
      true,
    ),
    region: read.oneOf(
      options.labor_rate_region,
      'assessment_options.labor_rate_region',
      'INVALID_REGION',
      regions,
    ),
    associated: read.oneOf(
      options.associated_operations,
      'assessment_options.associated_operations',
      REQUEST,
      ASSOCIATED_MODES,
    ),
    currency: read.oneOf(options.currency, 'assessment_options.currency', 'INVALID_CURRENCY', currencies),
    vehicle: readVehicle(request.vehicle, currencies, read),
    overrides: readOverrides(request.overrides, damages, read),
    edits: readLineEdits(request.line_edits, read),
    settlement: readSettlement(request.settlement, read),
    terms: isObject(request.settlement) ? (request.settlement as SettlementTermsGiven) : undefined,
    supplementTo: readSupplementTo(request.supplement_to, read),
    file: readClaimFile(request.claim, request.vehicle, read),
  };
  read.finish();
  return call;
}
