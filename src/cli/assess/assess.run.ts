import { loadSettings, type Settings, text } from '../../config/settings.ts';
import type { AssessmentEnvelope } from '../../contract/assessment.ts';
import type { Severity } from '../../domain/damage.ts';
import { rankOf } from '../../domain/judge/severity.ts';
import { VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';
import { money } from '../../report/figures.ts';
import { allFaults } from '../backend/all-faults.ts';
import { assessLocally } from '../backend/assess-locally.ts';
import { type Attempts, openAttempts } from '../outputs/attempts.ts';
import { renderResult } from '../outputs/kinds.ts';
import type { PageFlags } from '../outputs/page-options.ts';
import { pageSettings } from '../outputs/page-options.ts';
import { type Output, parseOutput, printedKind } from '../outputs/parse-output.ts';
import { fileView, screenView } from '../outputs/view.ts';
import { tellWritten, writeOutputs } from '../outputs/write-outputs.ts';
import { type Asker, terminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { clockOf } from '../terminal/now.ts';
import { write, writeFileWhole } from '../terminal/output.ts';
import { tell } from '../terminal/progress.ts';
import { readJson } from '../terminal/read-json.ts';
import {
  marketValueOfFlag,
  type RawRequest,
  requestOf,
  requestOfFlags,
  vehicleOfFlag,
} from './assess-input.ts';
import { equivalentCommand, interview } from './assess-interview.ts';

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
  readonly vehicle?: string;
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
  const request = await requestFrom(file, flags, attempts, ctx, askerOf);
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
  await judge(envelope, view.failOn, flags.failOnCost, ctx);
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

/** The request of a file, of --damage flags, or of an interview. */
async function requestFrom(
  file: string | undefined,
  flags: AssessFlags,
  attempts: Attempts,
  ctx: CliContext,
  askerOf: (ctx: CliContext) => Promise<Asker>,
): Promise<RawRequest> {
  if (file !== undefined && flags.damage !== undefined) {
    throw new VehiError('usage', 'INVALID_REQUEST', 'Give a file or --damage, not both.');
  }
  if (file !== undefined) return requestOf(await readJson(file, ctx));
  if (flags.damage !== undefined) return requestOfFlags(flags.damage);
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
    ...(flags.vehicle === undefined ? {} : vehicleOfFlag(flags.vehicle)),
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
    ...(flags.overrides === undefined ? {} : { overrides: await overridesFrom(flags.overrides, ctx) }),
  };
}

async function overridesFrom(file: string, ctx: CliContext): Promise<unknown> {
  const document = await readJson(file, ctx);
  return isObject(document) ? document.overrides : document;
}

/** Sets the exit code; a threshold that was hit is named. */
async function judge(
  { data }: AssessmentEnvelope,
  failOn: Severity | 'none',
  failOnCost: number | undefined,
  ctx: CliContext,
): Promise<void> {
  const { estimated, currency } = data.summary.repair_cost_summary.recommended_repairs_total;
  const worst = data.summary.overall_severity;
  const graver = failOn !== 'none' && rankOf(worst) >= rankOf(failOn);
  const dearer = failOnCost !== undefined && estimated > failOnCost;
  if (graver) await tell(ctx, `vehi: --fail-on ${failOn} was hit: the most severe damage is ${worst}.`);
  if (dearer) {
    await tell(
      ctx,
      `vehi: --fail-on-cost ${failOnCost} was hit: the recommended repairs cost ${money(estimated, currency)}.`,
    );
  }
  ctx.setExitCode(graver || dearer ? EXIT.thresholdHit : EXIT.done);
}
