import { DamageSchema } from '../../contract/inspection.ts';
import { gradeClaim } from '../../domain/grading/grade-claim.ts';
import { IDENTITY_FIELDS } from '../../domain/vehicle/claim-file.ts';
import { PRICING_FACTS } from '../../domain/vehicle/vehicle.ts';
import { fits } from '../../lib/check.ts';
import { makeFieldError, VehiError } from '../../lib/errors.ts';
import { describeValue, isObject, type JsonObject } from '../../lib/fields.ts';
import { defined, pick } from '../../lib/objects.ts';
import { toPricingDamage } from '../pricer.ts';

/** An assessment request before validation. */
export type RawRequest = Record<string, unknown>;

/**
 * Builds the assessment request for an inspection's damages, with its terms and the reviewer's repair decisions. The
 * resulting estimate equals the inspection's `repair_cost` to the cent.
 * @throws VehiError for no damage, photos of several vehicles, or an unknown repair decision
 */
export function makeRequestFromInspection(envelope: object): RawRequest {
  const { data, meta, review } = envelope as { data?: unknown; meta?: unknown; review?: unknown };
  const { vehicle_id, inspection_id, results, vehicle, claim } = asObject(data);
  const { damages, mixed_vehicles } = asObject(results);
  if (mixed_vehicles === true) {
    const message = 'The photos of the inspection show several vehicles, and an assessment is of one.';
    throw new VehiError('input', 'SEVERAL_VEHICLES', message, {
      field: 'results.mixed_vehicles',
      hint: 'Inspect the photos of each vehicle by itself, or all as one (command line: --one-vehicle).',
    });
  }
  if (!Array.isArray(damages) || damages.length === 0) {
    const message = 'The inspection lists no damage; there is nothing to assess.';
    throw new VehiError('input', 'INVALID_DAMAGE_DATA', message, { field: 'results.damages' });
  }
  const { region, currency } = asObject(meta);
  const facts = readVehicle(asObject(vehicle));
  const edits = listLineEdits(asObject(review).repair);
  const overrides = isObject(review) ? listOverrides(damages) : [];
  return {
    vehicle_id,
    inspection_id,
    damages,
    ...(Object.keys(facts).length === 0 ? {} : { vehicle: facts }),
    ...defined({ claim }),
    assessment_options: { labor_rate_region: region, currency },
    ...(overrides.length === 0 ? {} : { overrides }),
    ...(edits.length === 0 ? {} : { line_edits: edits }),
  };
}

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Extracts the vehicle's pricing and identity facts from an inspection. */
function readVehicle(facts: JsonObject): JsonObject {
  const { odometer } = facts;
  const reading = isObject(odometer) && typeof odometer.value === 'number' ? odometer : undefined;
  // An inspection's reports hide a plate that was read in its photos, so the estimate omits it too.
  const isPlateRead = Array.isArray(facts.read) && facts.read.includes('plate');
  const stated: JsonObject = { ...facts, odometer: reading, plate: isPlateRead ? undefined : facts.plate };
  return pick(stated, [...PRICING_FACTS, ...IDENTITY_FIELDS]);
}

/** Lists the severities that a reviewer stated below the severity floors, to which an assessment would raise them. */
function listOverrides(damages: readonly unknown[]): readonly JsonObject[] {
  return damages
    .filter((one) => fits(DamageSchema, one))
    .filter((one) => gradeClaim(toPricingDamage(one)).severity !== one.severity)
    .map(({ damage_id, severity }) => ({ damage_id, severity }));
}

/** Converts a review's repair decisions to line edits of the estimate. */
function listLineEdits(repair: unknown): readonly JsonObject[] {
  if (!Array.isArray(repair)) return [];
  return repair.filter(isObject).map(({ decision, line, cost, line_id, note }, i) => ({
    ...(decision === 'price'
      ? { part: line, price: cost }
      : { line: line_id, action: readAction(decision, i) }),
    ...defined({ reason: note }),
  }));
}

function readAction(decision: unknown, index: number): string {
  if (decision === 'include') return 'accept';
  if (decision === 'exclude') return 'remove';
  const field = `review.repair[${index}].decision`;
  const message = `${field} is ${describeValue(decision)}, which is not known.`;
  throw makeFieldError(field, message, 'One of price, include, exclude.');
}
