import {
  CLAIM_FIELDS,
  type ClaimFacts,
  type ClaimFile,
  isDay,
  type Odometer,
  type VehicleFacts,
} from '../../domain/claim-file.ts';
import { checkVin, findVinFault } from '../../domain/vin.ts';
import { type FieldReader, found, isObject } from '../../lib/fields.ts';

const REQUEST = 'INVALID_REQUEST';
/** Reads what a request is filed under: its `claim`, and what identifies its `vehicle`. Faults go to `read`. */
export function readClaimFile(claim: unknown, vehicle: unknown, read: FieldReader): ClaimFile {
  const given = read.object(claim, 'claim', REQUEST);
  const facts: ClaimFacts = Object.fromEntries(
    CLAIM_FIELDS.flatMap((name) => {
      const text = read.text(given[name], `claim.${name}`, REQUEST, 128);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
  const { loss_date: day } = facts;
  if (day !== undefined && !isDay(day))
    read.fault(
      REQUEST,
      'claim.loss_date',
      `claim.loss_date is ${found(day)}; a day such as 2026-11-02 is needed.`,
    );
  const identity = readIdentity(vehicle, read);
  return {
    ...(Object.keys(facts).length > 0 ? { claim: facts } : {}),
    ...(Object.keys(identity).length > 0 ? { vehicle: identity } : {}),
  };
}

function readIdentity(value: unknown, read: FieldReader): VehicleFacts {
  if (!isObject(value)) return {};
  const vin = read.text(value.vin, 'vehicle.vin', REQUEST, 128);
  const fault = vin === undefined ? undefined : findVinFault(vin);
  if (fault !== undefined) read.fault(REQUEST, 'vehicle.vin', `vehicle.vin has ${fault}.`);
  const plate = read.text(value.plate, 'vehicle.plate', REQUEST, 128);
  const paint = read.text(value.paint_code, 'vehicle.paint_code', REQUEST, 128);
  const odometer = readOdometer(value.odometer, read);
  return {
    ...(vin === undefined ? {} : { vin, vin_check_digit: checkVin(vin) }),
    ...(plate === undefined ? {} : { plate }),
    ...(paint === undefined ? {} : { paint_code: paint }),
    ...(odometer === undefined ? {} : { odometer }),
  };
}

function readOdometer(value: unknown, read: FieldReader): Odometer | undefined {
  if (value === undefined || value === null) return undefined;
  const given = read.object(value, 'vehicle.odometer', REQUEST);
  const reading = read.number(given.value, 'vehicle.odometer.value', REQUEST, { min: 0, max: 1e7 });
  const unit = read.oneOf(given.unit, 'vehicle.odometer.unit', REQUEST, ['km', 'mi'] as const);
  if (reading !== undefined && unit !== undefined) return { value: reading, unit };
  if (isObject(value))
    read.fault(REQUEST, 'vehicle.odometer', 'vehicle.odometer needs value and unit (km or mi).');
  return undefined;
}
