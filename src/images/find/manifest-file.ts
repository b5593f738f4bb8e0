import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { SettlementTermsGiven } from '../../contract/assessment/settlement.ts';
import { judgeVin } from '../../contract/claim.ts';
import {
  type ClaimBlockSchema,
  type ManifestPhoto,
  type VehicleBlockSchema,
  VehiJsonSchema,
} from '../../contract/vehi-json.ts';
import { type ClaimFacts, MAX_READING, type Odometer } from '../../domain/claim-file.ts';
import { isIsoCurrency } from '../../domain/money.ts';
import { findDeductionFaults } from '../../domain/settlement.ts';
import { checkText, makeDocumentError, type Source } from '../../lib/check.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { describeFound, type FieldFault, isObject, suggestNames } from '../../lib/fields.ts';
import type { Static } from '../../lib/type.ts';
import { describeFsError } from '../read/source-bytes.ts';

/** Name of the file describing the photos of a folder. */
const MANIFEST_NAME = 'vehi.json';

/** A reading with an optional unit. */
type OdometerReading = Pick<Odometer, 'value'> & Partial<Pick<Odometer, 'unit'>>;

/** Vehicle facts with their JSON names; `market_value` in major units of `currency`. */
export type ManifestVehicle = Omit<Static<typeof VehicleBlockSchema>, 'odometer'> & {
  readonly odometer?: OdometerReading;
};

/** A validated manifest. Photos are keyed by path relative to its folder, with forward slashes, in Unicode NFC. */
export interface PhotoManifest {
  readonly path: string;
  readonly vehicleId?: string;
  readonly vehicle?: ManifestVehicle;
  readonly claim?: ClaimFacts;
  /** Settlement terms in the currency of the estimate. */
  readonly settlement?: SettlementTermsGiven;
  readonly photos: ReadonlyMap<string, ManifestPhoto>;
}

const MAX_MANIFEST_BYTES = 1024 * 1024;
const HINT = 'Correct the manifest or remove it; photos are inspected without one as well.';

/**
 * Reads a folder's `vehi.json`; undefined if there is none.
 * @throws VehiError input INVALID_MANIFEST, naming file, field, what was found and what is expected
 */
export async function readManifest(folder: string): Promise<PhotoManifest | undefined> {
  const path = join(folder, MANIFEST_NAME);
  const text = await readText(path);
  return text === undefined ? undefined : parseVehicleManifest(text, path);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) throw makeInvalidError(path, 'found something other than a file', 'a JSON file');
      if (facts.size > MAX_MANIFEST_BYTES)
        throw makeInvalidError(path, `found ${facts.size} bytes`, 'at most 1 MB');
      return decodeText(await handle.readFile());
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof VehiError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw makeInvalidError(path, `found ${describeFsError(error)}`, 'a file that can be read');
  }
}

function makeInvalidError(path: string, found: string, expected: string): VehiError {
  return new VehiError('input', 'INVALID_MANIFEST', `${path}: ${found}; expected ${expected}`, {
    hint: HINT,
  });
}

/** Validation of vehicle fields beyond the schemas of `vehi.json` and the flags. */
export const VEHICLE_VALIDATORS: NonNullable<Source['judges']> = {
  'vehicle.vin': (vin) => judgeVin(typeof vin === 'string' ? cleanVin(vin) : vin),
  'vehicle.odometer': (given) =>
    readOdometer(given) === undefined
      ? { says: `is ${describeFound(given)}; a reading such as "48210 km" or "30000 mi" is needed.` }
      : undefined,
  'vehicle.currency': (code) => {
    if (typeof code === 'string' && isIsoCurrency(code)) return undefined;
    const says = `is ${describeFound(code)}; a currency of ISO 4217, such as EUR, is needed.`;
    const hint = suggestNames(code, Intl.supportedValuesOf('currency'));
    return { says, ...(hint.startsWith('Did') ? { hint } : {}) };
  },
};

/**
 * Validates the text of a manifest (`VehiJsonSchema`).
 * @throws VehiError input INVALID_MANIFEST, as `readManifest`
 */
export function parseVehicleManifest(text: string, path: string): PhotoManifest {
  const source = { document: path, kind: 'input', code: 'INVALID_MANIFEST', hint: HINT } as const;
  const judges = { ...VEHICLE_VALIDATORS, 'photos[].file': validatePath };
  const given = checkText(VehiJsonSchema, text, { ...source, judges });
  const { vehicle_id, vehicle, claim, settlement, photos = {} } = given;
  const entries: readonly (readonly [field: string, path: string, photo: ManifestPhoto])[] = Array.isArray(
    photos,
  )
    ? photos.map(({ file, ...photo }, index) => [`photos[${index}].file`, file, photo])
    : Object.entries(photos).map(([file, photo]) => [`photos[${JSON.stringify(file)}]`, file, photo]);
  const paths = entries.map(([, file]) => cleanPath(file));
  const makeFault = (field: string, says: string): FieldFault => ({
    code: source.code,
    field,
    message: `${field} ${says}`,
  });
  const faults = [
    ...findDeductionFaults(settlement).map(({ field, says }) => makeFault(field, says)),
    ...entries.flatMap(([field, file], index) => {
      const wrong = validatePath(file);
      if (wrong) return [makeFault(field, wrong.says)];
      return paths.indexOf(paths[index]) < index
        ? [makeFault(field, `is "${paths[index]}" a second time; each file is needed once.`)]
        : [];
    }),
  ];
  if (faults.length > 0) throw makeDocumentError(source, faults);
  return {
    path,
    ...defined({
      vehicleId: vehicle_id,
      vehicle: vehicle && normalizeVehicle(vehicle),
      claim: claim && normalizeClaim(claim),
      settlement,
    }),
    photos: new Map(entries.map(([, , photo], index) => [paths[index] ?? '', photo])),
  };
}

/** Trims the facts of a claim. */
export function normalizeClaim(claim: Static<typeof ClaimBlockSchema>): ClaimFacts {
  return Object.fromEntries(Object.entries(claim).map(([name, text]) => [name, text.trim()]));
}

/** Normalizes vehicle facts: VIN in capitals, odometer parsed, plate and paint code trimmed. */
export function normalizeVehicle(vehicle: Static<typeof VehicleBlockSchema>): ManifestVehicle {
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

/** Parses `48210`, `"48210 km"`, `"30000 mi"` or `{ "value": 48210, "unit": "km" }`; undefined if invalid. */
function readOdometer(given: unknown): OdometerReading | undefined {
  if (isObject(given)) {
    const { value, unit, ...unknown } = given;
    const isKnownUnit = unit === undefined || unit === 'km' || unit === 'mi';
    const isValid = typeof value === 'number' && value >= 0 && value <= MAX_READING;
    if (!isValid || !isKnownUnit || Object.keys(unknown).length > 0) return undefined;
    return { value, ...defined({ unit }) };
  }
  if (typeof given === 'number') return given >= 0 && given <= MAX_READING ? { value: given } : undefined;
  const [, digits, unit] = /^\s*([\d ,.']+?)\s*(km|mi|miles)?\s*$/i.exec(String(given)) ?? [];
  // A comma, dot, apostrophe or space before three digits is a thousands separator.
  const plain = digits?.replace(/[ ,.'](?=\d{3}(?!\d))/g, '');
  if (plain === undefined || !/^\d+(\.\d)?$/.test(plain) || Number(plain) > MAX_READING) return undefined;
  return { value: Number(plain), ...(unit === undefined ? {} : { unit: /km/i.test(unit) ? 'km' : 'mi' }) };
}

function validatePath(path: unknown) {
  if (typeof path === 'string' && cleanPath(path) !== undefined) return undefined;
  return {
    says: `is ${describeFound(path)}; a path relative to the manifest, inside its folder, is needed.`,
  };
}

/** Normalizes a path in the manifest's folder: forward slashes, no `../`, Unicode NFC; undefined for other paths. */
function cleanPath(path: string): string | undefined {
  if (path === '' || path.includes('\0')) return undefined;
  const clean = posix.normalize(path.replaceAll('\\', '/')).normalize('NFC');
  const outside =
    posix.isAbsolute(clean) ||
    /^[a-z]:/i.test(clean) ||
    clean === '.' ||
    clean.endsWith('/') ||
    clean.split('/')[0] === '..';
  return outside ? undefined : clean;
}
