import { loadSettings, type Settings, text } from '../../config/settings.ts';
import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import { IDENTITY_FIELDS } from '../../domain/claim-file.ts';
import type { Severity } from '../../domain/damage.ts';
import { VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';
import { allFaults } from '../backend/all-faults.ts';
import { assessLocally } from '../backend/assess-locally.ts';
import { type Attempts, openAttempts } from '../outputs/attempts.ts';
import { readClaimFlags, vehicleFacts } from '../outputs/claim-file.ts';
import { editOfFlag, settlementOfFlags } from '../outputs/estimate-flags.ts';
import { renderResult } from '../outputs/kinds.ts';
import type { PageFlags } from '../outputs/page-options.ts';
import { pageSettings } from '../outputs/page-options.ts';
import { type Output, parseOutput, printedKind } from '../outputs/parse-output.ts';
import { fileView, screenView } from '../outputs/view.ts';
import { tellWritten, writeOutputs } from '../outputs/write-outputs.ts';
import { type Asker, terminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { assessmentVerdict } from '../terminal/exit-code.ts';
import { clockOf } from '../terminal/now.ts';
import { write, writeFileWhole } from '../terminal/output.ts';
import { tell } from '../terminal/progress.ts';
import { readJson } from '../terminal/read-json.ts';
import {
  KM_PER_MILE,
  marketValueOfFlag,
  type RawRequest,
  requestOf,
  requestOfFlags,
  vehicleOfFlag,
} from './assess-input.ts';
import { equivalentCommand, interview } from './assess-interview.ts';
import { supplementTo, withFurther } from './supplement.ts';

/** Flags of `vehi assess` as commander hands them over. */
export interface AssessFlags extends PageFlags {
  readonly damage?: readonly string[];
  readonly json?: boolean;
  readonly format?: string;
  readonly output?: readonly string[];
  readonly region?: string;
  readonly regions?: string;
  readonly currency?: string;
  readonly associated?: string;
  readonly partPrices: boolean;
  readonly timeline: boolean;
  readonly vehicleId?: string;
  readonly vehicle?: readonly string[];
  readonly claim?: readonly string[];
  readonly edit?: readonly string[];
  readonly supplement?: string;
  readonly settlement?: readonly string[];
  readonly marketValue?: string;
  readonly overrides?: string;
  readonly failOn?: string;
  readonly failOnCost?: number;
  readonly explain?: boolean;
  readonly quiet?: boolean;
  readonly now?: string;
  readonly remote?: boolean;
  readonly baseUrl?: string;
  readonly apiKeyFile?: string;
  readonly profile?: 'sandbox' | 'production';
}

/** Runs `vehi assess`: reads or asks for the damages, prices them, writes what was asked for, sets the exit code. */
export async function runAssess(
  file: string | undefined,
  flags: AssessFlags,
  ctx: CliContext,
  askerOf: (ctx: CliContext) => Promise<Asker> = terminalAsker,
): Promise<void> {
  const settings = settingsOf(flags, ctx);
  const print = printedKind(flags.json ? 'json' : (text(settings.format) ?? 'table'), 'assess');
  const outputs = (flags.output ?? []).map((value) => parseOutput(value, 'assess'));
  const page = await pageSettings(flags, ctx);
  const now = clockOf(flags.now, ctx);
  const attempts = openAttempts(ctx);
  const earlier =
    flags.supplement === undefined
      ? undefined
      : supplementTo(await readJson(flags.supplement, ctx), flags.supplement);
  const request = await requestFrom(file, flags, earlier, attempts, ctx, askerOf);
  const merged = await withFlags(request, flags, settings, ctx);
  const envelope = await assessHereOrThere(merged, settings, flags, ctx, now);
  const view = {
    quiet: Boolean(flags.quiet),
    explain: Boolean(flags.explain),
    failOn: text(settings.fail_on) as Severity | 'none',
    page,
    now,
  };
  const result = { inspection: null, assessment: envelope };
  const contents = ({ kind }: Output) => renderResult(kind, result, fileView(view));
  const written = await writeOutputs(outputs, contents, attempts, ctx);
  await write(ctx.stdout, await renderResult(print, result, screenView(view, ctx)));
  if (!flags.quiet && print === 'table') await tellWritten(written, ctx);
  await attempts.settle();
  const { failOn } = view;
  const { code, because } = assessmentVerdict(envelope.data.summary, {
    failOn,
    failOnCost: flags.failOnCost,
  });
  if (because !== undefined) await tell(ctx, `vehi: ${because}`);
  ctx.setExitCode(code);
}

async function assessHereOrThere(
  request: RawRequest,
  settings: Settings,
  flags: AssessFlags,
  ctx: CliContext,
  now: () => Date,
): Promise<AssessmentEnvelope> {
  try {
    if (!flags.remote) return await assessLocally(request, settings, now);
    const { openRemote, refuseLocalFlags } = await import('../backend/remote.ts');
    const { assessRemotely } = await import('../backend/remote-work.ts');
    refuseLocalFlags(flags);
    const { envelope, unlinked } = await assessRemotely(openRemote(flags, ctx), request, settings);
    if (unlinked !== undefined && !flags.quiet)
      await tell(ctx, `vehi: the service does not know ${unlinked}; the damages are priced without it.`);
    return envelope;
  } catch (error) {
    throw error instanceof VehiError ? allFaults(error) : error;
  }
}

function settingsOf(flags: AssessFlags, ctx: CliContext): Settings {
  const { region, regions, currency, failOn, format } = flags;
  return loadSettings({ region, regions, currency, fail_on: failOn, format }, ctx.env, ctx.cwd);
}

/** The request of a file, of --damage flags, or of an interview; as a supplement, on top of the earlier one. */
async function requestFrom(
  file: string | undefined,
  flags: AssessFlags,
  earlier: RawRequest | undefined,
  attempts: Attempts,
  ctx: CliContext,
  askerOf: (ctx: CliContext) => Promise<Asker>,
): Promise<RawRequest> {
  if (file !== undefined && flags.damage !== undefined) {
    throw new VehiError('usage', 'INVALID_REQUEST', 'Give a file or --damage, not both.');
  }
  const taken = earlier === undefined ? [] : (earlier.damages as RawRequest[]).map((one) => one.damage_id);
  const following = (given: RawRequest) => (earlier === undefined ? given : withFurther(earlier, given));
  if (file !== undefined) return following(requestOf(await readJson(file, ctx), taken));
  if (flags.damage !== undefined) return following(requestOfFlags(flags.damage, taken));
  if (earlier !== undefined) return earlier;
  if (!ctx.interactive) {
    throw new VehiError('usage', 'INVALID_REQUEST', 'No damages were given.', {
      hint: 'Name a JSON file, - for stdin, or --damage part:type[:severity[:cm]].',
    });
  }
  const { damages, saveTo } = await interview(await askerOf(ctx));
  const request = requestOfFlags(damages);
  if (saveTo !== undefined) {
    const kept = { vehicle_id: flags.vehicleId ?? 'vehicle', ...request };
    await attempts.of(async () => {
      await writeFileWhole(saveTo, `${JSON.stringify(kept, null, 2)}\n`, ctx.cwd);
      await tell(ctx, `Request saved to ${saveTo}`);
    });
  }
  await tell(ctx, `The same without questions:\n  ${equivalentCommand(damages)}`);
  return request;
}

/** The request with what the flags say on top; flags outrank the file, the file outranks the configuration. */
async function withFlags(
  request: RawRequest,
  flags: AssessFlags,
  settings: Settings,
  ctx: CliContext,
): Promise<RawRequest> {
  const options = isObject(request.assessment_options) ? request.assessment_options : {};
  const vehicle = isObject(request.vehicle) ? request.vehicle : {};
  const given = {
    ...vehicleOfFlags(flags, text(settings.region) ?? ''),
    ...(flags.marketValue === undefined ? {} : marketValueOfFlag(flags.marketValue)),
  };
  const flagged = (setting: Settings['region']) =>
    setting.source === 'flag' ? text(setting)?.toUpperCase() : undefined;
  const region = flagged(settings.region);
  const currency = flagged(settings.currency);
  const misfit = request.assessment_options !== undefined && !isObject(request.assessment_options);
  return {
    ...request,
    vehicle_id: flags.vehicleId ?? request.vehicle_id ?? 'vehicle',
    ...(misfit
      ? {}
      : {
          assessment_options: {
            ...options,
            ...(flags.partPrices ? {} : { include_part_prices: false }),
            ...(flags.timeline ? {} : { include_repair_timeline: false }),
            ...(flags.associated === undefined ? {} : { associated_operations: flags.associated }),
            ...(region === undefined ? {} : { labor_rate_region: region }),
            ...(currency === undefined ? {} : { currency }),
          },
        }),
    ...(Object.keys(given).length === 0 ? {} : { vehicle: { ...vehicle, ...given } }),
    ...claimOfFlags(request, flags, text(settings.inspector)),
    ...(flags.overrides === undefined ? {} : await correctionsFrom(flags.overrides, ctx)),
    ...editsOfFlags(request, flags),
    ...(flags.settlement === undefined
      ? {}
      : { settlement: { ...asObject(request.settlement), ...settlementOfFlags(flags.settlement) } }),
  };
}

/** The facts of --vehicle; what identifies the vehicle is checked as `vehi inspect` does. */
function vehicleOfFlags({ vehicle = [] }: AssessFlags, region: string): RawRequest {
  const facts: RawRequest = Object.assign({}, ...vehicle.map(vehicleOfFlag));
  const named = IDENTITY_FIELDS.filter((name) => typeof facts[name] === 'string');
  if (named.length === 0) return facts;
  const { vehicle: read } = readClaimFlags({ vehicle: named.map((name) => `${name}=${facts[name]}`) });
  const { vin_check_digit: _digit, ...identity } = vehicleFacts(read, region);
  const { odometer } = identity;
  const km = odometer && Math.round(odometer.value * (odometer.unit === 'mi' ? KM_PER_MILE : 1));
  return { ...(km === undefined ? {} : { mileage_km: km }), ...facts, ...identity };
}

/** What the estimate is filed under: that of the request, with the flags and the inspector of the settings on top. */
function claimOfFlags(request: RawRequest, flags: AssessFlags, inspector: string | null): RawRequest {
  const { claim } = readClaimFlags({ ...(flags.claim === undefined ? {} : { claim: flags.claim }) });
  const merged = { ...(inspector === null ? {} : { inspector }), ...asObject(request.claim), ...claim };
  return Object.keys(merged).length === 0 ? {} : { claim: merged };
}

const asObject = (value: unknown): RawRequest => (isObject(value) ? { ...value } : {});

/** The edits of the request with those of the flags; a later edit of a line replaces an earlier one. */
function editsOfFlags(request: RawRequest, { edit }: AssessFlags): RawRequest {
  if (edit === undefined) return {};
  const given = edit.map(editOfFlag);
  const lines = new Set(given.map((one) => one.line));
  const earlier = Array.isArray(request.line_edits) ? (request.line_edits as RawRequest[]) : [];
  return { line_edits: [...earlier.filter((one) => !lines.has(one.line)), ...given] };
}

/** An adjuster's corrections: a list of overrides, or `overrides`, `line_edits` and `settlement` of one file. */
async function correctionsFrom(file: string, ctx: CliContext): Promise<RawRequest> {
  const document = await readJson(file, ctx);
  if (!isObject(document)) return { overrides: document };
  const { overrides, line_edits, settlement } = document;
  return {
    ...(overrides === undefined && line_edits === undefined && settlement === undefined ? {} : { overrides }),
    ...(line_edits === undefined ? {} : { line_edits }),
    ...(settlement === undefined ? {} : { settlement }),
  };
}
