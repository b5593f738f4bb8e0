import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClaimFacts, IDENTITY_FIELDS, type VehicleFacts } from '../../domain/claim-file.ts';
import { ANGLES, type Angle, PHOTO_TYPES, type PhotoType } from '../../domain/damage.ts';
import { type Currency, isIsoCurrency } from '../../domain/money.ts';
import type { SettlementGiven } from '../../domain/settlement.ts';
import {
  EQUIPMENT,
  EQUIPMENT_FACTS,
  type Equipment,
  PAINTS,
  type Paint,
  VEHICLE_CLASSES,
  type VehicleClass,
} from '../../domain/vehicle.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { createManifestChecker, suggestName } from '../../lib/manifest-checker.ts';
import { describeFsError } from '../read/source-bytes.ts';
import { type OdometerReading, readClaim, readIdentity } from './claim-block.ts';
import { readSettlementBlock } from './settlement-block.ts';

/** Name of the file that describes the photos of a folder. */
export const MANIFEST_NAME = 'vehi.json';

/** What is known of the vehicle; `marketValue` in major units of `currency`. */
export interface ManifestVehicle extends Equipment {
  readonly make?: string;
  readonly model?: string;
  readonly year?: number;
  readonly mileageKm?: number;
  readonly marketValue?: number;
  readonly currency?: Currency;
  readonly class?: VehicleClass;
  readonly paint?: Paint;
  /** VIN with its check digit, plate, paint code. */
  readonly identity?: Pick<VehicleFacts, 'vin' | 'vin_check_digit' | 'plate' | 'paint_code'>;
  readonly odometer?: OdometerReading;
}

interface ManifestPhoto {
  readonly angle?: Angle;
  readonly type?: PhotoType;
}

/** A checked manifest. Photos are keyed by path relative to its folder, forward slashes, Unicode NFC. */
export interface PhotoManifest {
  readonly path: string;
  readonly vehicleId?: string;
  readonly vehicle?: ManifestVehicle;
  readonly claim?: ClaimFacts;
  /** Who pays what of a repair, in the currency of the estimate. */
  readonly settlement?: SettlementGiven;
  readonly photos: ReadonlyMap<string, ManifestPhoto>;
}

const MAX_MANIFEST_BYTES = 1024 * 1024;

/**
 * Reads `vehi.json` of a folder; undefined where there is none.
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
      if (!facts.isFile()) throw invalid(path, 'found something other than a file', 'a JSON file');
      if (facts.size > MAX_MANIFEST_BYTES) throw invalid(path, `found ${facts.size} bytes`, 'at most 1 MB');
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof VehiError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw invalid(path, `found ${describeFsError(error)}`, 'a file that can be read');
  }
}

function invalid(path: string, found: string, expected: string): VehiError {
  return new VehiError('input', 'INVALID_MANIFEST', `${path}: ${found}; expected ${expected}`, {
    hint: 'Correct the manifest or remove it; photos are inspected without one as well.',
  });
}

/**
 * Checks the text of a manifest: `{ vehicle_id?, vehicle?: { make?, model?, year?, mileage_km?, market_value?,
 * currency?, class?, paint?, body?, headlights?, taillights?, mirrors?, windshield?, panels?, drive?, vin?, plate?,
 * odometer?, paint_code? }, claim?: { claim_number?, policy_number?, insured?, loss_date?, loss_kind?, inspector? },
 * settlement?: { deductible?, towing?, storage?, rental?, betterment?, prior_damage? }, photos?: { "front.jpg": {
 * angle?, type? } } }`, where `photos` may also be a list of `{ file, angle?, type? }`.
 * @throws VehiError input INVALID_MANIFEST, as `readManifest`
 */
export function parseVehicleManifest(text: string, path: string): PhotoManifest {
  const check = createManifestChecker(path);
  const top = check.object('', check.json(text), ['vehicle_id', 'vehicle', 'claim', 'settlement', 'photos']);
  const vehicleId = check.text('vehicle_id', top.get('vehicle_id'), 128);
  const vehicle = top.has('vehicle') ? readVehicle(top.get('vehicle'), check) : undefined;
  return {
    path,
    ...defined({ vehicleId, vehicle }),
    ...(top.has('claim') ? { claim: readClaim(top.get('claim'), check) } : {}),
    ...(top.has('settlement') ? { settlement: readSettlementBlock(top.get('settlement'), check) } : {}),
    photos: readPhotos(top.get('photos'), check),
  };
}

type Checker = ReturnType<typeof createManifestChecker>;

/** Reads the `vehicle` block. @throws what `check` throws, naming the field */
export function readVehicle(value: unknown, check: Checker): ManifestVehicle {
  const fields = check.object('vehicle', value, [
    'make',
    'model',
    'year',
    'mileage_km',
    'market_value',
    'currency',
    'class',
    'paint',
    ...EQUIPMENT_FACTS,
    ...IDENTITY_FIELDS,
  ]);
  const make = check.text('vehicle.make', fields.get('make'), 64);
  const model = check.text('vehicle.model', fields.get('model'), 64);
  const year = check.number('vehicle.year', fields.get('year'), { min: 1886, max: 2100, whole: true });
  const mileageKm = check.number('vehicle.mileage_km', fields.get('mileage_km'), { min: 0, max: 1e7 });
  const marketValue = check.number('vehicle.market_value', fields.get('market_value'), { min: 0, max: 1e10 });
  const currency = readCurrency(fields.get('currency'), check);
  const vehicleClass = check.oneOf('vehicle.class', fields.get('class'), VEHICLE_CLASSES);
  const paint = check.oneOf('vehicle.paint', fields.get('paint'), PAINTS);
  const equipment = EQUIPMENT_FACTS.flatMap((fact) => {
    const stated = check.oneOf<string>(`vehicle.${fact}`, fields.get(fact), EQUIPMENT[fact]);
    return stated === undefined ? [] : [[fact, stated] as const];
  });
  const { odometer, ...identity } = readIdentity(fields, check);
  return {
    ...defined({ make, model, year, mileageKm, marketValue, currency, class: vehicleClass, paint }),
    ...(Object.fromEntries(equipment) as Equipment),
    ...(Object.keys(identity).length > 0 ? { identity } : {}),
    ...defined({ odometer }),
  };
}

function readCurrency(value: unknown, check: Checker): Currency | undefined {
  const code = check.text('vehicle.currency', value, 64);
  if (code === undefined || isIsoCurrency(code)) return code;
  const meant = suggestName(code, Intl.supportedValuesOf('currency'));
  throw check.fault(
    'vehicle.currency',
    `${JSON.stringify(code)}${meant}`,
    'a currency of ISO 4217, such as EUR',
  );
}

function readPhotos(value: unknown, check: Checker): ReadonlyMap<string, ManifestPhoto> {
  const photos = new Map<string, ManifestPhoto>();
  const add = (field: string, file: unknown, photo: ManifestPhoto): void => {
    const name = check.relativePath(field, file);
    if (photos.has(name)) throw check.fault(field, `"${name}" a second time`, 'each file once');
    photos.set(name, photo);
  };
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      const field = `photos[${index}]`;
      const fields = check.object(field, entry, ['file', 'angle', 'type']);
      add(`${field}.file`, fields.get('file'), readPhoto(field, fields, check));
    }
  } else if (value !== undefined) {
    for (const [file, entry] of check.object('photos', value)) {
      const field = `photos[${JSON.stringify(file)}]`;
      add(field, file, readPhoto(field, check.object(field, entry, ['angle', 'type']), check));
    }
  }
  return photos;
}

function readPhoto(field: string, fields: ReadonlyMap<string, unknown>, check: Checker): ManifestPhoto {
  const angle = check.oneOf(`${field}.angle`, fields.get('angle'), ANGLES);
  const type = check.oneOf(`${field}.type`, fields.get('type'), PHOTO_TYPES);
  return defined({ angle, type });
}
