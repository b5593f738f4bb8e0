import {
  CLAIM_FIELDS,
  type ClaimFacts,
  isDay,
  type Odometer,
  type VehicleFacts,
} from '../../domain/claim-file.ts';
import { checkVin, findVinFault } from '../../domain/vin.ts';
import { defined } from '../../lib/defined.ts';
import type { createManifestChecker } from '../../lib/manifest-checker.ts';

type Checker = ReturnType<typeof createManifestChecker>;

const LONGEST = 128;

/** Reads the `claim` block of a manifest. @throws what `check` throws, naming the field */
export function readClaim(value: unknown, check: Checker): ClaimFacts {
  const fields = check.object('claim', value, CLAIM_FIELDS);
  const entries = CLAIM_FIELDS.flatMap((name) => {
    const text = check.text(`claim.${name}`, fields.get(name), LONGEST)?.trim();
    return text === undefined ? [] : [[name, text] as const];
  });
  const claim: ClaimFacts = Object.fromEntries(entries);
  if (claim.loss_date !== undefined && !isDay(claim.loss_date))
    throw check.fault('claim.loss_date', `"${claim.loss_date}"`, 'a day such as 2026-11-02');
  return claim;
}

/** Reads what identifies the vehicle from its block of a manifest. @throws what `check` throws, naming the field */
export function readIdentity(
  fields: ReadonlyMap<string, unknown>,
  check: Checker,
): Pick<VehicleFacts, 'vin' | 'vin_check_digit' | 'plate' | 'paint_code'> & { odometer?: OdometerReading } {
  const vin = readVin(fields.get('vin'), check);
  const plate = check.text('vehicle.plate', fields.get('plate'), 32)?.trim();
  const odometer = readOdometer(fields.get('odometer'), check);
  const paint = check.text('vehicle.paint_code', fields.get('paint_code'), 32)?.trim();
  return {
    ...(vin === undefined ? {} : { vin, vin_check_digit: checkVin(vin) }),
    ...defined({ plate, odometer, paint_code: paint }),
  };
}

function readVin(value: unknown, check: Checker): string | undefined {
  const vin = check
    .text('vehicle.vin', value, 64)
    ?.replace(/[\s-]+/g, '')
    .toUpperCase();
  const fault = vin === undefined ? undefined : findVinFault(vin);
  if (fault !== undefined) throw check.fault('vehicle.vin', fault, 'a vehicle identification number');
  return vin;
}

/** A reading whose unit may not have been given. */
export type OdometerReading = Pick<Odometer, 'value'> & Partial<Pick<Odometer, 'unit'>>;

/** Reads `48210`, `"48210 km"`, `"30000 mi"` or `{ "value": 48210, "unit": "km" }`. */
function readOdometer(value: unknown, check: Checker): OdometerReading | undefined {
  if (value === undefined) return undefined;
  const expected = 'a reading such as "48210 km" or "30000 mi"';
  if (typeof value === 'object' && value !== null) {
    const fields = check.object('vehicle.odometer', value, ['value', 'unit']);
    const unit = check.oneOf('vehicle.odometer.unit', fields.get('unit'), ['km', 'mi']);
    const reading = check.number('vehicle.odometer.value', fields.get('value'), { min: 0, max: 1e7 });
    if (reading === undefined) throw check.fault('vehicle.odometer', 'no value', expected);
    return { value: reading, ...defined({ unit }) };
  }
  const [, digits, unit] = /^\s*([\d ,.']+?)\s*(km|mi|miles)?\s*$/i.exec(String(value)) ?? [];
  // A comma, a dot or a blank before three digits groups them.
  const plain = digits?.replace(/[ ,.'](?=\d{3}(?!\d))/g, '');
  if (plain === undefined || !/^\d+(\.\d)?$/.test(plain) || Number(plain) > 1e7)
    throw check.fault('vehicle.odometer', JSON.stringify(value), expected);
  return { value: Number(plain), ...(unit === undefined ? {} : { unit: /km/i.test(unit) ? 'km' : 'mi' }) };
}
