import type { Settings } from '../../config/settings.ts';
import type { SettlementTermsGiven } from '../../contract/assessment/settlement.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { ClaimBlockSchema, VehicleBlockSchema } from '../../contract/vehi-json.ts';
import type { ClaimFacts, ClaimFile, VehicleFacts } from '../../domain/claim-file.ts';
import { mergeFiles } from '../../domain/claim-file.ts';
import { pickEquipment } from '../../domain/vehicle.ts';
import { checkVin } from '../../domain/vin.ts';
import {
  type ManifestVehicle,
  tidyClaim,
  tidyVehicle,
  VEHICLE_JUDGES,
} from '../../images/find/manifest-file.ts';
import { check, type Source } from '../../lib/check.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { type ReportInput, readClaimFile } from '../../report/input.ts';
import { type EstimateFlags, parseSettlementFlags, readEditFlag } from './estimate-flags.ts';

/** Flags that name what is filed; each may be repeated. */
export interface ClaimFlags {
  readonly claim?: readonly string[];
  readonly vehicle?: readonly string[];
}

/** Reads claim and vehicle from the flags. @throws VehiError usage naming the flag, the field and what is expected */
export function readClaimFlags(flags: ClaimFlags): {
  readonly claim: ClaimFacts;
  readonly vehicle: ManifestVehicle;
} {
  const claim = readFlag('claim', flags.claim);
  const vehicle = readFlag('vehicle', flags.vehicle);
  return {
    claim: tidyClaim(check(ClaimBlockSchema, claim.pairs, claim.source)),
    vehicle: tidyVehicle(
      check(VehicleBlockSchema, parseNumbers(vehicle.pairs), { ...vehicle.source, judges: VEHICLE_JUDGES }),
    ),
  };
}

type Pairs = Readonly<Record<string, string>>;

function readFlag(field: 'claim' | 'vehicle', values: readonly string[] = []) {
  const document = `--${field}`;
  const hint = `For example ${FLAG_EXAMPLES[field]}`;
  const source: Source = { document, field, kind: 'usage', code: 'INVALID_REQUEST', hint };
  return { pairs: parsePairs(document, values, hint), source };
}

const FLAG_EXAMPLES = {
  claim: '--claim claim_number=C-4711 --claim "insured=Doe, Jane"',
  vehicle: '--vehicle plate=AB-123 --vehicle "odometer=48210 km"',
};

/** Parses `key=value`, several with commas where another `key=` follows. */
function parsePairs(flag: string, values: readonly string[], hint: string): Pairs {
  const pairs = values.flatMap((value) => value.split(/,(?=\s*\w+=)/));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
      throw new VehiError('usage', 'INVALID_REQUEST', `${flag} ${pair}: key=value is needed.`, { hint });
    }),
  );
}

const NUMBERS = ['year', 'mileage_km', 'market_value'];

function parseNumbers(pairs: Pairs): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(pairs).map(([name, value]) => {
      const isNumber = NUMBERS.includes(name) && !Number.isNaN(Number(value));
      return [name, isNumber ? Number(value) : value];
    }),
  );
}

/** What is known of one vehicle and its claim, from strongest to weakest: flags, `vehi.json`, settings. */
export interface KnownVehicle {
  readonly vehicle: ManifestVehicle;
  readonly file: ClaimFile;
  /** Who pays what of an estimate. */
  readonly settlement?: SettlementTermsGiven;
  /** Changes of lines of an estimate, as a request takes them. */
  readonly edits?: readonly object[];
}

/** Puts together what flags, manifest and settings say. @throws VehiError usage for a flag that is wrong */
export function gatherKnownVehicle(
  flags: ClaimFlags & EstimateFlags,
  manifest: {
    readonly vehicle?: ManifestVehicle;
    readonly claim?: ClaimFacts;
    readonly settlement?: SettlementTermsGiven;
  },
  settings: Settings,
): KnownVehicle {
  const given = readClaimFlags(flags);
  const inspector = settings.inspector.value;
  const vehicle = { ...manifest.vehicle, ...given.vehicle };
  const claim = { ...(inspector === null ? {} : { inspector }), ...manifest.claim, ...given.claim };
  const settlement = { ...manifest.settlement, ...parseSettlementFlags(flags.settlement ?? []) };
  const edits = (flags.edit ?? []).map(readEditFlag);
  return {
    vehicle,
    ...(Object.keys(settlement).length > 0 ? { settlement } : {}),
    ...(edits.length > 0 ? { edits } : {}),
    file: mergeFiles({}, { claim, vehicle: pickVehicleFacts(vehicle, settings.region.value ?? '') }),
  };
}

/**
 * Returns the facts that identify a vehicle or decide its prices; an odometer without a unit shows that of the region.
 */
export function pickVehicleFacts(vehicle: ManifestVehicle, region: string): VehicleFacts {
  const { make, model, year, vin, plate, paint_code, odometer } = vehicle;
  return {
    ...defined({ make, model, year }),
    ...(vin === undefined ? {} : { vin, vin_check_digit: checkVin(vin) }),
    ...defined({ plate, paint_code, class: vehicle.class, paint: vehicle.paint }),
    ...pickEquipment(vehicle),
    ...(odometer === undefined
      ? {}
      : { odometer: { value: odometer.value, unit: odometer.unit ?? (countsMiles(region) ? 'mi' : 'km') } }),
  };
}

function countsMiles(region: string): boolean {
  return /^US_|UK/i.test(region);
}

/** Returns the result with this claim and vehicle in place of those it may have. */
export function fileUnder(envelope: InspectionEnvelope, file: ClaimFile): InspectionEnvelope {
  const data = { ...envelope.data };
  delete data.claim;
  delete data.vehicle;
  return { ...envelope, data: { ...data, ...file } };
}

/**
 * Returns the result with claim and vehicle as the flags give them; what they leave out stays as the result has it.
 * @throws VehiError usage
 */
export function fileByFlags<T extends ReportInput>(input: T, flags: ClaimFlags): T {
  const given = readClaimFlags(flags);
  const { inspection, assessment } = input;
  const region = inspection?.meta.region ?? assessment?.meta.region ?? '';
  const added = mergeFiles({}, { claim: given.claim, vehicle: pickVehicleFacts(given.vehicle, region) });
  const file = mergeFiles(readClaimFile(input), added);
  return { ...input, file, inspection: inspection && fileUnder(inspection, file) };
}
