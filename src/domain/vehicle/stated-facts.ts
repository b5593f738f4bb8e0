import type { Violation } from '../../lib/check-value.ts';
import { describeValue, isObject } from '../../lib/fields.ts';
import { findNearest } from '../../lib/names.ts';
import { defined } from '../../lib/objects.ts';
import { isIsoCurrency } from '../money.ts';
import { type ClaimFacts, type IdentityFacts, MAX_ODOMETER, type Odometer } from './claim-file.ts';
import { validateVin } from './vin.ts';

/** A reading with an optional unit. */
export type OdometerReading = Pick<Odometer, 'value'> & Partial<Pick<Odometer, 'unit'>>;

/** Validation of vehicle fields beyond the schemas of `vehi.json` and `--set`. */
export const VEHICLE_VALIDATORS: Readonly<Record<string, (value: unknown) => Violation | undefined>> = {
  'vehicle.vin': (vin) => validateVin(typeof vin === 'string' ? cleanVin(vin) : vin),
  'vehicle.odometer': (stated) =>
    readOdometer(stated) === undefined
      ? { problem: `is ${describeValue(stated)}; a reading such as "48210 km" or "30000 mi" is needed.` }
      : undefined,
  'vehicle.currency': (code) => {
    const word = typeof code === 'string' ? code : '';
    if (isIsoCurrency(word)) return undefined;
    const problem = `is ${describeValue(code)}; a currency of ISO 4217, such as EUR, is needed.`;
    const nearest = findNearest(word, Intl.supportedValuesOf('currency'));
    return { problem, ...defined({ hint: nearest && `Did you mean ${nearest}?` }) };
  },
};

/** Trims the facts of a claim. */
export const normalizeClaim = (claim: ClaimFacts): ClaimFacts =>
  Object.fromEntries(Object.entries(claim).map(([name, text]) => [name, text.trim()]));

/** Normalizes validated vehicle facts: VIN in capitals, odometer parsed, plate and paint code trimmed. */
export function normalizeVehicle<
  V extends Pick<IdentityFacts, 'vin' | 'plate' | 'paint_code'> & { readonly odometer?: unknown },
>(vehicle: V) {
  const { vin, plate, paint_code, odometer, ...facts } = vehicle;
  return {
    ...facts,
    ...defined({
      vin: vin === undefined ? undefined : cleanVin(vin),
      plate: plate?.trim(),
      odometer: odometer === undefined ? undefined : readOdometer(odometer),
      paint_code: paint_code?.trim(),
    }),
  };
}

const cleanVin = (vin: string) => vin.replace(/[\s-]+/g, '').toUpperCase();

/** Parses `48210`, `"48 210 km"`, `"30000 mi"` or `{ "value": 48210, "unit": "km" }`; undefined if invalid. */
function readOdometer(stated: unknown): OdometerReading | undefined {
  if (typeof stated === 'string') return parseOdometer(stated);
  const reading: Readonly<Record<string, unknown>> = isObject(stated) ? stated : { value: stated };
  const { value, unit, ...unknown } = reading;
  const isKnownUnit = unit === undefined || unit === 'km' || unit === 'mi';
  const isValid = typeof value === 'number' && value >= 0 && value <= MAX_ODOMETER;
  if (!isValid || !isKnownUnit || Object.keys(unknown).length > 0) return undefined;
  return { value, ...defined({ unit }) };
}

function parseOdometer(text: string): OdometerReading | undefined {
  const [, digits, unit] = /^\s*([\d\s,.'’]+?)\s*(km|mi|miles)?\s*$/i.exec(text) ?? [];
  // A separator of thousands has one to three digits before it, not 0 alone, and three after it.
  const plain = digits?.replace(/(?<=^(?!0\D)\d{1,3}|\D\d{3})[\s,.'’](?=\d{3}(?!\d))/g, '') ?? '';
  // Two decimals of a short number may be thousands with a digit lost.
  if (!/^(\d+(\.\d)?|\d{4,}\.\d+)$/.test(plain) || Number(plain) > MAX_ODOMETER) return undefined;
  return { value: Number(plain), ...(unit === undefined ? {} : { unit: /km/i.test(unit) ? 'km' : 'mi' }) };
}
