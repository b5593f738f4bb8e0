import type { AssessmentRequest } from '../../contract/assessment/request.ts';
import { CLAIM_FIELDS, type ClaimFile } from '../../domain/claim-file.ts';
import { checkVin } from '../../domain/vin.ts';

/** Reads what a request is filed under: its `claim`, and what identifies its `vehicle`. */
export function readClaimFile({ claim, vehicle = {} }: AssessmentRequest): ClaimFile {
  const facts = pick(claim ?? {}, CLAIM_FIELDS);
  const { vin, odometer } = vehicle;
  const identity = {
    ...(vin === undefined ? {} : { vin, vin_check_digit: checkVin(vin) }),
    ...pick(vehicle, ['plate', 'paint_code']),
    ...(odometer === undefined ? {} : { odometer: { value: odometer.value, unit: odometer.unit } }),
  };
  return {
    ...(Object.keys(facts).length > 0 ? { claim: facts } : {}),
    ...(Object.keys(identity).length > 0 ? { vehicle: identity } : {}),
  };
}

/** Returns those of the named fields that an object has, in the order of the names. */
function pick<T extends object, K extends keyof T>(object: T, names: readonly K[]): Partial<Pick<T, K>> {
  const given = names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]] as const]));
  return Object.fromEntries(given) as Partial<Pick<T, K>>;
}
