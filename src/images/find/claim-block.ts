import {
  CLAIM_FIELDS,
  type ClaimFacts,
  isDay,
  type Odometer,
  type VehicleFacts,
} from '../../domain/claim-file.ts';
import { checkVin, findVinFault } from '../../domain/vin.ts';
import { defined } from '../../lib/defined.ts';
import type { Field } from '../../lib/field.ts';

const LONGEST = 128;

/** Reads the `claim` block of a manifest. @throws VehiError naming the field at fault */
export function readClaim(block: Field): ClaimFacts {
  const fields = block.known(CLAIM_FIELDS);
  const entries = CLAIM_FIELDS.flatMap((name) => {
    const text = fields.maybe(name)?.text(LONGEST).trim();
    return text === undefined ? [] : [[name, text] as const];
  });
  const claim: ClaimFacts = Object.fromEntries(entries);
  if (claim.loss_date !== undefined && !isDay(claim.loss_date))
    fields.get('loss_date').wrong('a day such as 2026-11-02', `"${claim.loss_date}"`);
  return claim;
}

/** Reads what identifies the vehicle from its block of a manifest. @throws VehiError naming the field at fault */
export function readIdentity(
  fields: Field,
): Pick<VehicleFacts, 'vin' | 'vin_check_digit' | 'plate' | 'paint_code'> & { odometer?: OdometerReading } {
  const vin = readVin(fields.maybe('vin'));
  return {
    ...(vin === undefined ? {} : { vin, vin_check_digit: checkVin(vin) }),
    ...defined({
      plate: fields.maybe('plate')?.text(32).trim(),
      odometer: readOdometer(fields.maybe('odometer')),
      paint_code: fields.maybe('paint_code')?.text(32).trim(),
    }),
  };
}

function readVin(field: Field | undefined): string | undefined {
  const vin = field
    ?.text(64)
    .replace(/[\s-]+/g, '')
    .toUpperCase();
  const fault = vin === undefined ? undefined : findVinFault(vin);
  if (fault !== undefined) field?.wrong('a vehicle identification number', fault);
  return vin;
}

/** A reading whose unit may not have been given. */
export type OdometerReading = Pick<Odometer, 'value'> & Partial<Pick<Odometer, 'unit'>>;

/** Reads `48210`, `"48210 km"`, `"30000 mi"` or `{ "value": 48210, "unit": "km" }`. */
function readOdometer(field: Field | undefined): OdometerReading | undefined {
  if (field === undefined) return undefined;
  const expected = 'a reading such as "48210 km" or "30000 mi"';
  const given = field.raw();
  if (typeof given === 'object' && given !== null) {
    const fields = field.known(['value', 'unit']);
    const unit = fields.maybe('unit')?.oneOf(['km', 'mi']);
    const value = fields.maybe('value')?.number(0, 1e7) ?? field.wrong(expected, 'no value');
    return { value, ...defined({ unit }) };
  }
  const [, digits, unit] = /^\s*([\d ,.']+?)\s*(km|mi|miles)?\s*$/i.exec(String(given)) ?? [];
  // A comma, a dot or a blank before three digits groups them.
  const plain = digits?.replace(/[ ,.'](?=\d{3}(?!\d))/g, '');
  if (plain === undefined || !/^\d+(\.\d)?$/.test(plain) || Number(plain) > 1e7) field.wrong(expected);
  return { value: Number(plain), ...(unit === undefined ? {} : { unit: /km/i.test(unit) ? 'km' : 'mi' }) };
}
