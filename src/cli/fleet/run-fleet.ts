import { join, resolve } from 'node:path';
import { type Settings, text } from '../../config/settings.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Severity } from '../../domain/damage.ts';
import { VehiError } from '../../domain/errors.ts';
import { inOrder } from '../../engine/in-order.ts';
import { pricerOf, tablesWith } from '../../engine/pricer.ts';
import { displayName } from '../../images/display-name.ts';
import { gatherPhotos } from '../../images/gather-photos.ts';
import type { Engine } from '../../index.ts';
import type { InspectFlags } from '../commands/inspect.ts';
import type { CliContext, StopSignal } from '../context.ts';
import { exitCodeFor } from '../exit-code.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { asUsage, engineFor } from '../inspect-locally.ts';
import { requestOf, settingsOf } from '../inspect-request.ts';
import { packageVersion } from '../main.ts';
import { clockOf } from '../now.ts';
import { write, writeFileWhole } from '../output.ts';
import { contentKey, runKey } from './content-key.ts';
import { outputFolder, printedAs, refuseFlagsOfOne } from './flags.ts';
import { fleetProgress } from './fleet-progress.ts';
import { resultFolder } from './result-folder.ts';
import { outcome, rowOf, rowWithout, type SummaryRow, summaryCsv, summaryTable } from './summary.ts';
import { type FleetVehicle, subFolders, vehicleList } from './vehicles.ts';

/** How one vehicle ended. */
interface Ended {
  readonly row: SummaryRow;
  readonly code: ExitCode;
  /** Its result was there already. */
  readonly kept: boolean;
}

/** Vehicles at once: while one is merged and written, the next one's photos keep the models busy. */
const CONCURRENCY = 2;

/**
 * Runs `vehi inspect` for many vehicles with one engine: a result per vehicle, summary.csv and a table. Only a row per
 * vehicle stays in memory. The first Ctrl-C finishes the vehicles at hand.
 */
export async function runFleet(args: readonly string[], flags: InspectFlags, ctx: CliContext): Promise<void> {
  refuseFlagsOfOne(args, flags);
  const settings = settingsOf(flags, ctx);
  const print = printedAs(flags);
  const now = clockOf(flags.now, ctx);
  checkPrices(settings);
  const folder = outputFolder(flags);
  const leaveOut = resolve(ctx.cwd, folder);
  const vehicles =
    flags.vehicles === undefined
      ? await subFolders(args[0] ?? '', ctx.cwd, leaveOut)
      : await vehicleList(flags.vehicles, ctx.cwd);
  const { rows, code, stopped } = await inspectAll(vehicles, flags, settings, ctx, now, folder);
  await writeFileWhole(join(folder, 'summary.csv'), summaryCsv(rows), ctx.cwd);
  const summary =
    print === 'json'
      ? `${JSON.stringify({ vehicles: rows }, null, 2)}\n`
      : print === 'csv'
        ? summaryCsv(rows)
        : summaryTable(rows, ctx.colour.stdout);
  await write(ctx.stdout, summary);
  if (!flags.quiet) await write(ctx.stderr, `results and summary.csv are in ${folder}\n`);
  ctx.setExitCode(stopped === null ? code : stopped === 'SIGINT' ? EXIT.interrupted : EXIT.terminated);
}

/** A wrong region or currency is told once, before the first vehicle. */
function checkPrices(settings: Settings): void {
  try {
    const tables = tablesWith(text(settings.regions) ?? undefined);
    pricerOf(tables, text(settings.region) ?? '', text(settings.currency) ?? '');
  } catch (error) {
    throw asUsage(error);
  }
}

async function inspectAll(
  vehicles: readonly FleetVehicle[],
  flags: InspectFlags,
  settings: Settings,
  ctx: CliContext,
  now: () => Date,
  folder: string,
): Promise<{ rows: SummaryRow[]; code: ExitCode; stopped: StopSignal | null }> {
  const progress = await fleetProgress(ctx, vehicles.length, Boolean(flags.quiet));
  const stop = new AbortController();
  let stopped: StopSignal | null = null;
  const release = ctx.onStop((signal) => {
    stopped = signal;
    stop.abort();
    void progress.note('vehi: stopping after the vehicles at hand; press again to quit now');
  });
  // Made for the first vehicle that needs it: a resumed run with nothing to do loads no model.
  let engine: Promise<Engine> | null = null;
  const theEngine = () => {
    engine ??= engineFor(settings, now);
    return engine;
  };
  const run: Run = {
    flags,
    settings,
    ctx,
    engine: theEngine,
    results: resultFolder(resolve(ctx.cwd, folder)),
    key: await runKey(settings, packageVersion()),
    folder,
  };
  try {
    const ended = await inOrder(vehicles, flags.concurrency ?? CONCURRENCY, stop.signal, async (vehicle) => {
      const one = await inspectOne(vehicle, run);
      const words = `${outcome(one.row)}${one.kept ? ' (there already)' : ''}`;
      await progress.vehicle(displayName(one.row.vehicle_id), words, !one.kept);
      return one;
    });
    const rows = ended.map((one, index) => one?.row ?? notBegun(vehicles[index] as FleetVehicle));
    return { rows, code: worstOf(ended.flatMap((one) => (one ? [one.code] : []))), stopped };
  } finally {
    release();
    progress.stop();
    await (engine as Promise<Engine> | null)?.then(
      (made) => made.close(),
      () => undefined,
    );
  }
}

/** What every vehicle of a run shares. */
interface Run {
  readonly flags: InspectFlags;
  readonly settings: Settings;
  readonly ctx: CliContext;
  readonly engine: () => Promise<Engine>;
  readonly results: ReturnType<typeof resultFolder>;
  readonly key: string;
  readonly folder: string;
}

/** One vehicle, whatever happens to it; only models that cannot be loaded and results that cannot be written stop all. */
async function inspectOne(vehicle: FleetVehicle, run: Run): Promise<Ended> {
  const { flags, settings, ctx, results } = run;
  try {
    const gathered = await gatherPhotos([vehicle.folder], {
      cwd: ctx.cwd,
      recursive: Boolean(flags.recursive),
    });
    const request = requestOf(gathered, withId(flags, vehicle.vehicleId), settings);
    const key = await contentKey(run.key, request, gathered.problems);
    const kept = flags.resume ? await results.kept(vehicle.name, key) : null;
    if (kept) return end(kept, vehicle, run, true);
    const engine = await run.engine().catch((error: unknown) => {
      throw new StopsAll(error);
    });
    const envelope = await engine.inspect(request);
    envelope.data.rejected_images.unshift(
      ...gathered.problems.map(({ url, code, message, found, needed }) => ({
        url,
        code,
        message,
        found,
        needed,
      })),
    );
    await results.keep(vehicle.name, key, envelope).catch((error: unknown) => {
      throw new StopsAll(error);
    });
    return end(envelope, vehicle, run, false);
  } catch (error) {
    if (error instanceof StopsAll) throw error.cause;
    if (!(error instanceof VehiError)) throw error;
    const code = error.kind === 'engine' ? EXIT.engine : EXIT.inputRejected;
    return { row: rowWithout('error', idOf(vehicle), vehicle.folder, error.message), code, kept: false };
  }
}

function withId(flags: InspectFlags, vehicleId: string | null): InspectFlags {
  return vehicleId === null ? flags : { ...flags, vehicleId };
}

/** A failure that the next vehicle would meet as well. */
class StopsAll extends Error {
  constructor(cause: unknown) {
    super('the fleet cannot go on', { cause });
  }
}

function end(envelope: InspectionEnvelope, vehicle: FleetVehicle, run: Run, kept: boolean): Ended {
  const { failOnCost, minScore, strict } = run.flags;
  const failOn = text(run.settings.fail_on) as Severity | 'none';
  const rules = { failOn, failOnCost, minScore, strict: Boolean(strict), stopped: null };
  const { code, because } = exitCodeFor(envelope.data, rules);
  const message = because ?? (envelope.data.results ? null : whyFailed(envelope));
  const row = rowOf(envelope, vehicle.folder, join(run.folder, `${vehicle.name}.json`), message);
  return { row, code, kept };
}

function whyFailed({ data }: InspectionEnvelope): string | null {
  return data.rejected_images[0]?.message ?? data.failure?.message ?? null;
}

function notBegun(vehicle: FleetVehicle): SummaryRow {
  return rowWithout('not_begun', idOf(vehicle), vehicle.folder, null);
}

function idOf(vehicle: FleetVehicle): string {
  return vehicle.vehicleId ?? vehicle.name;
}

/** Gravest first. */
const GRAVITY = [EXIT.engine, EXIT.inputRejected, EXIT.thresholdHit] as const;

/** The exit code of a fleet from those of its vehicles: models, then rejected input, then thresholds. */
export function worstOf(codes: readonly ExitCode[]): ExitCode {
  return GRAVITY.find((code) => codes.includes(code)) ?? EXIT.done;
}
