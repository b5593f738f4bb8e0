import type { Settings } from '../../config/settings.ts';
import { toKilometers } from '../../domain/vehicle/claim-file.ts';
import type { RawRequest } from '../../engine/assess/request-from-inspection.ts';
import type { Pricer } from '../../engine/pricer.ts';
import { makeUsageError, VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';
import { escapeName } from '../../lib/names.ts';
import { defined } from '../../lib/objects.ts';
import type { FlagsOf } from '../commands.ts';
import { checkVehicleId, pickVehicleFacts, readClaimFlags, readSetClaim } from '../known-vehicle.ts';
import type { Asker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { describeFaults } from '../terminal/errors.ts';
import { writeStatus } from '../terminal/output.ts';
import { nameSource, readJson } from '../terminal/read-json.ts';
import { formatCommand } from '../terminal/shell-words.ts';
import {
  isEstimate,
  makeRequestFromFlags,
  parseMarketValueFlag,
  REQUEST_HINT,
  readAssessmentRequest,
} from './assess-input.ts';
import { askForDamages } from './assess-interview.ts';
import { readEditFlag } from './edit-flag.ts';

/** Reads the request from a file, from --damage flags, or from an interview. */
export async function readRequest(
  file: string | undefined,
  flags: FlagsOf<'assess'>,
  { region, currency }: Pick<Pricer, 'region' | 'currency'>,
  ctx: CliContext,
  createAsker: (ctx: CliContext) => Promise<Asker>,
): Promise<RawRequest> {
  if (file !== undefined && flags.damage !== undefined)
    throw new VehiError('usage', 'INVALID_REQUEST', 'Give a file or --damage, not both.');
  if (file !== undefined) {
    const document = await readJson(file, ctx, REQUEST_HINT);
    if (!isEstimate(document)) return readAssessmentRequest(document);
    const message = `${nameSource(file)} is an estimate; the damages that it prices are needed.`;
    throw new VehiError('input', 'INVALID_REQUEST', message, { hint: REQUEST_HINT });
  }
  if (flags.damage !== undefined) return makeRequestFromFlags(flags.damage);
  if (!ctx.interactive)
    throw makeUsageError(
      'No damages were given.',
      'Name a JSON file, - for stdin, or --damage part:type[:severity[:cm]].',
    );
  await writeStatus(
    ctx,
    `Prices are in ${currency} at the rates of ${region.name}. Others: --region CODE --currency CODE, or vehi init.`,
  );
  const damages = await askForDamages(await createAsker(ctx));
  await writeStatus(
    ctx,
    `The same without questions:\n  ${formatCommand(['assess'], { damage: damages, ...flags })}`,
  );
  return makeRequestFromFlags(damages);
}

/**
 * Merges the flags into the request. Precedence: flags, file, configuration. A block of the file that is no object stays as
 * it is, for the check to refuse.
 */
export async function applyFlags(request: RawRequest, flags: FlagsOf<'assess'>, settings: Settings) {
  const { assessment_options: options = {}, vehicle: ownVehicle = {}, claim: ownClaim = {} } = request;
  const { claim: statedClaim, vehicle: statedVehicle } = readClaimFlags(flags);
  const vehicle = {
    ...(await readVehicleFacts(statedVehicle, settings)),
    ...(flags.marketValue === undefined ? {} : parseMarketValueFlag(flags.marketValue)),
  };
  const claim = isObject(ownClaim) ? { ...readSetClaim(settings), ...ownClaim, ...statedClaim } : {};
  const typed = ({ source, value }: Settings['region']) => (source === 'flag' ? value : undefined);
  const prices = defined({ labor_rate_region: typed(settings.region), currency: typed(settings.currency) });
  return {
    ...request,
    vehicle_id:
      flags.vehicleId === undefined ? (request.vehicle_id ?? 'vehicle') : checkVehicleId(flags.vehicleId),
    ...(isObject(options) ? { assessment_options: { ...options, ...prices } } : {}),
    ...(isObject(ownVehicle) && !isEmpty(vehicle) ? { vehicle: { ...ownVehicle, ...vehicle } } : {}),
    ...(isEmpty(claim) ? {} : { claim }),
    ...readEditFlags(request, flags),
  };
}

/** Converts the vehicle facts of --set to request fields, with the mileage from an odometer reading. */
async function readVehicleFacts(
  stated: ReturnType<typeof readClaimFlags>['vehicle'],
  { region, regions }: Settings,
): Promise<RawRequest> {
  const { vin_check_digit: _digit, ...facts } = await pickVehicleFacts(stated, region.value, regions.value);
  const { odometer } = facts;
  return { ...defined({ mileage_km: odometer && toKilometers(odometer) }), ...stated, ...facts };
}

const isEmpty = (block: object) => Object.keys(block).length === 0;

/** Merges the edits of the flags into those of the request; a flag replaces an earlier edit of the same line. */
function readEditFlags(request: RawRequest, { edit }: FlagsOf<'assess'>): RawRequest {
  const { line_edits: own = [] } = request;
  if (edit === undefined || !Array.isArray(own)) return {};
  const given = edit.map(readEditFlag);
  const lines = new Set(given.map((one) => one.line));
  const earlier = own.filter((one) => !isObject(one) || one.line === undefined || !lines.has(one.line));
  return { line_edits: [...earlier, ...given] };
}

/**
 * Names the flags in the faults of what they stated: `--edit 3:hours=5` for `line_edits[1]`. A first fault in a flag is
 * of kind `usage`.
 */
export function nameFlags(error: VehiError, { line_edits }: RawRequest, flags: FlagsOf<'assess'>): VehiError {
  const { damage = [], edit = [] } = flags;
  // The edits of the flags are the last ones.
  const earlier = Array.isArray(line_edits) ? line_edits.length - edit.length : 0;
  const nameTyped = (text: string) =>
    text.replace(/\b(damages|line_edits)\[(\d+)\](\.?)/g, (found, list, index, dot) => {
      const [flag, typed] = list === 'damages' ? ['damage', damage[index]] : ['edit', edit[index - earlier]];
      return typed === undefined ? found : `--${flag} ${escapeName(typed)}${dot && ': '}`;
    });
  const { message, hint } = describeFaults(error);
  const { kind, code, field = '' } = error;
  const blamed = nameTyped(field) === field ? kind : 'usage';
  return new VehiError(blamed, code, nameTyped(message), { hint, cause: error });
}
