import type { Flags } from '../config/options.ts';
import { loadTablesWith } from '../config/regions-file.ts';
import type { Settings } from '../config/settings.ts';
import type { Result } from '../contract/result.ts';
import { ClaimBlockSchema, type StatedVehicle, VehicleBlockSchema } from '../contract/vehi-json.ts';
import type { ClaimFacts, ClaimFile, IdentityFacts } from '../domain/vehicle/claim-file.ts';
import { CLAIM_FIELDS, mergeClaimFiles, pickIdentity } from '../domain/vehicle/claim-file.ts';
import { normalizeClaim, normalizeVehicle, VEHICLE_VALIDATORS } from '../domain/vehicle/stated-facts.ts';
import { MAX_VEHICLE_ID_LENGTH, PRICING_FACTS } from '../domain/vehicle/vehicle.ts';
import { endInspection, fileAssessment } from '../engine/inspect/finish.ts';
import { check, type Source } from '../lib/check.ts';
import { makeUsageError, toReason, VehiError } from '../lib/errors.ts';
import { suggestNames } from '../lib/fields.ts';
import { parseJson } from '../lib/json.ts';
import { parseDecimal } from '../lib/numbers.ts';
import { defined, pick } from '../lib/objects.ts';
import { readClaimFile } from '../report/facts.ts';
import { parsePairs } from './terminal/parse-pairs.ts';

export type ClaimFlags = Flags<'set'>;

const FACTS = [...CLAIM_FIELDS, ...Object.keys(VehicleBlockSchema.properties)];

/**
 * Parses claim and vehicle from values of `--set`: `key=value,…`, or a JSON object of vehicle facts.
 * @param where origin of the values, for messages
 * @throws VehiError usage naming the flag, the field and the expected value
 */
export function readClaimFlags({ set = [] }: ClaimFlags, where = '--set') {
  const facts = set.flatMap((value) => readFacts(value, where));
  const names = facts.map(([name]) => name);
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated) throw makeUsageError(`${where}: ${repeated} is given twice.`, 'Give it once.');
  const unknown = facts.find(([name]) => !FACTS.includes(name));
  if (unknown)
    throw makeUsageError(`${where}: ${unknown[0]} is not a fact.`, suggestNames(unknown[0], FACTS));
  const select = (isForClaim: boolean) =>
    Object.fromEntries(facts.filter(([name]) => CLAIM_FIELDS.some((one) => one === name) === isForClaim));
  const source: Source = { document: where, kind: 'usage', code: 'INVALID_REQUEST', hint: HINT };
  const validators = Object.fromEntries(
    Object.entries(VEHICLE_VALIDATORS).map(([field, validate]) => [field.replace('vehicle.', ''), validate]),
  );
  return {
    claim: normalizeClaim(check(ClaimBlockSchema, select(true), source)),
    vehicle: normalizeVehicle(check(VehicleBlockSchema, select(false), { ...source, validators })),
  };
}

const HINT = 'For example --set claim_number=C-4711 --set plate=AB-123 --set "odometer=48210 km"';
const NUMBERS = ['year', 'mileage_km', 'market_value'];

function readFacts(value: string, where: string): readonly (readonly [name: string, value: unknown])[] {
  if (value.trimStart().startsWith('{')) {
    try {
      return Object.entries(parseJson(value) as object);
    } catch (cause) {
      throw new VehiError('usage', 'INVALID_JSON', `${where} is not JSON: ${toReason(cause)}`, { cause });
    }
  }
  return [...parsePairs(value, where, HINT)].map(([name, text]) => {
    const number = NUMBERS.includes(name) ? parseDecimal(text) : Number.NaN;
    return [name, Number.isNaN(number) ? text : number] as const;
  });
}

/** Returns a stated vehicle id without spaces around it. @throws VehiError usage if it is empty or too long */
export function checkVehicleId(given: string): string {
  const id = given.trim();
  if (id.length >= 1 && id.length <= MAX_VEHICLE_ID_LENGTH) return id;
  const message = `--vehicle-id has ${id.length} characters; 1 to ${MAX_VEHICLE_ID_LENGTH} are needed.`;
  throw new VehiError('usage', 'INVALID_REQUEST', message, { field: 'vehicle_id' });
}

/** Known facts of a vehicle and its claim, merged with precedence: flags, `vehi.json`, settings. */
export interface KnownVehicle {
  readonly vehicle: StatedVehicle;
  readonly file: ClaimFile;
}

export async function gatherKnownVehicle(
  flags: ClaimFlags,
  vehiJson: { readonly vehicle?: StatedVehicle; readonly claim?: ClaimFacts },
  settings: Settings,
): Promise<KnownVehicle> {
  const given = readClaimFlags(flags);
  const vehicle = { ...vehiJson.vehicle, ...given.vehicle };
  const claim = { ...readSetClaim(settings), ...vehiJson.claim, ...given.claim };
  const facts = await pickVehicleFacts(vehicle, settings.region.value, settings.regions.value);
  return { vehicle, file: mergeClaimFiles({}, { claim, vehicle: facts }) };
}

/** Returns the claim of the settings: the inspector. */
export const readSetClaim = ({ inspector: { value } }: Settings): ClaimFacts =>
  defined({ inspector: value?.trim() });

/**
 * Returns the facts that identify a vehicle or affect prices. The odometer unit defaults to that of the region, which
 * may come from the user's regions file.
 * @throws VehiError usage for an invalid regions file of the settings
 */
export async function pickVehicleFacts(
  vehicle: StatedVehicle,
  region: string | null,
  regionsFile: string | null,
): Promise<IdentityFacts> {
  const { odometer: reading, ...facts } = vehicle;
  const odometer = reading && {
    value: reading.value,
    unit: reading.unit ?? (await findDistanceUnit(region, regionsFile)),
  };
  return { ...pick(vehicle, PRICING_FACTS), ...pickIdentity({ ...facts, ...defined({ odometer }) }) };
}

async function findDistanceUnit(region: string | null, regionsFile: string | null): Promise<'km' | 'mi'> {
  const tables = await loadTablesWith(regionsFile ?? undefined);
  return tables.regions.rows.find(({ code }) => code === region)?.distance_unit ?? 'km';
}

/**
 * Merges claim and vehicle of the flags into the result; facts not in the flags stay unchanged.
 * @param regionsFile the user's regions, which may define the region's unit of distance
 * @throws VehiError usage
 */
export async function applyClaimFlags(result: Result, flags: ClaimFlags, regionsFile: string | null) {
  const given = readClaimFlags(flags);
  const { inspection, assessment } = result;
  const region = inspection?.meta.region ?? assessment?.meta.region ?? null;
  const facts = await pickVehicleFacts(given.vehicle, region, regionsFile);
  const file = mergeClaimFiles(readClaimFile(result), { claim: given.claim, vehicle: facts });
  if (inspection) return { ...result, inspection: endInspection(inspection, { file }) };
  return { ...result, assessment: assessment && fileAssessment(assessment, file) };
}
