import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type ClaimFacts, IDENTITY_FIELDS, type VehicleFacts } from '../../domain/claim-file.ts';
import { ANGLES, type Angle, PHOTO_TYPES, type PhotoType } from '../../domain/damage.ts';
import { type Currency, isIsoCurrency } from '../../domain/money.ts';
import type { SettlementGiven } from '../../domain/settlement.ts';
import {
  EQUIPMENT,
  EQUIPMENT_FACTS,
  type Equipment,
  MODEL_YEARS,
  PAINTS,
  type Paint,
  VEHICLE_CLASSES,
  type VehicleClass,
} from '../../domain/vehicle.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { Field } from '../../lib/field.ts';
import { suggestName } from '../../lib/nearest.ts';
import { describeFsError } from '../read/source-bytes.ts';
import { type OdometerReading, readClaim, readIdentity } from './claim-block.ts';
import { readSettlementBlock } from './settlement-block.ts';

/** Name of the file that describes the photos of a folder. */
const MANIFEST_NAME = 'vehi.json';

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
const HINT = 'Correct the manifest or remove it; photos are inspected without one as well.';

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

/**
 * Checks the text of a manifest: `{ vehicle_id?, vehicle?: { make?, model?, year?, mileage_km?, market_value?,
 * currency?, class?, paint?, body?, headlights?, taillights?, mirrors?, windshield?, panels?, drive?, vin?, plate?,
 * odometer?, paint_code? }, claim?: { claim_number?, policy_number?, insured?, loss_date?, loss_kind?, inspector? },
 * settlement?: { deductible?, towing?, storage?, rental?, betterment?, prior_damage? }, photos?: { "front.jpg": {
 * angle?, type? } } }`, where `photos` may also be a list of `{ file, angle?, type? }`.
 * @throws VehiError input INVALID_MANIFEST, as `readManifest`
 */
export function parseVehicleManifest(text: string, path: string): PhotoManifest {
  const source = { document: path, kind: 'input', code: 'INVALID_MANIFEST', hint: HINT } as const;
  const top = Field.parse(text, source).known(['vehicle_id', 'vehicle', 'claim', 'settlement', 'photos']);
  const [vehicle, claim, settlement] = [top.maybe('vehicle'), top.maybe('claim'), top.maybe('settlement')];
  return {
    path,
    ...defined({
      vehicleId: top.maybe('vehicle_id')?.text(128),
      vehicle: vehicle && readVehicle(vehicle),
      claim: claim && readClaim(claim),
      settlement: settlement && readSettlementBlock(settlement),
    }),
    photos: readPhotos(top.maybe('photos')),
  };
}

/** Reads the `vehicle` block. @throws VehiError naming the field at fault */
export function readVehicle(block: Field): ManifestVehicle {
  const fields = block.known([
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
  const equipment = EQUIPMENT_FACTS.flatMap((fact) => {
    const stated = fields.maybe(fact)?.oneOf<string>(EQUIPMENT[fact]);
    return stated === undefined ? [] : [[fact, stated] as const];
  });
  const { odometer, ...identity } = readIdentity(fields);
  return {
    ...defined({
      make: fields.maybe('make')?.text(64),
      model: fields.maybe('model')?.text(64),
      year: fields.maybe('year')?.integer(MODEL_YEARS.minimum, MODEL_YEARS.maximum),
      mileageKm: fields.maybe('mileage_km')?.number(0, 1e7),
      marketValue: fields.maybe('market_value')?.number(0, 1e10),
      currency: readCurrency(fields.maybe('currency')),
      class: fields.maybe('class')?.oneOf(VEHICLE_CLASSES),
      paint: fields.maybe('paint')?.oneOf(PAINTS),
    }),
    ...(Object.fromEntries(equipment) as Equipment),
    ...(Object.keys(identity).length > 0 ? { identity } : {}),
    ...defined({ odometer }),
  };
}

function readCurrency(field: Field | undefined): Currency | undefined {
  const code = field?.text(64);
  if (code === undefined || isIsoCurrency(code)) return code;
  const meant = suggestName(code, Intl.supportedValuesOf('currency'));
  field?.wrong('a currency of ISO 4217, such as EUR', `${JSON.stringify(code)}${meant}`);
}

function readPhotos(field: Field | undefined): ReadonlyMap<string, ManifestPhoto> {
  const photos = new Map<string, ManifestPhoto>();
  const add = (file: unknown, at: Field, photo: ManifestPhoto): void => {
    const name = readRelativePath(file, at);
    if (photos.has(name)) at.wrong('each file once', `"${name}" a second time`);
    photos.set(name, photo);
  };
  if (Array.isArray(field?.raw())) {
    for (const entry of field.list(0, Number.POSITIVE_INFINITY)) {
      const at = entry.known(['file', 'angle', 'type']).get('file');
      add(at.raw(), at, readPhoto(entry));
    }
  } else {
    for (const [file, entry] of field?.entries() ?? [])
      add(file, entry, readPhoto(entry.known(['angle', 'type'])));
  }
  return photos;
}

function readPhoto(entry: Field): ManifestPhoto {
  return defined({
    angle: entry.maybe('angle')?.oneOf(ANGLES),
    type: entry.maybe('type')?.oneOf(PHOTO_TYPES),
  });
}

/** Returns a path inside the manifest's folder, cleaned: forward slashes, no `../`, Unicode NFC. */
function readRelativePath(path: unknown, at: Field): string {
  const expected = 'a path relative to the manifest, inside its folder';
  if (typeof path !== 'string' || path === '' || path.includes('\0')) at.wrong(expected);
  const clean = posix.normalize(path.replaceAll('\\', '/')).normalize('NFC');
  if (posix.isAbsolute(clean) || /^[a-z]:/i.test(clean) || clean === '.' || clean.split('/')[0] === '..')
    at.wrong(expected, JSON.stringify(path));
  return clean;
}
