import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { makeUsageError, VehiError } from '../../lib/errors.ts';
import { toJsonText } from '../../lib/json.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import { escapeName } from '../../lib/names.ts';
import type { InspectFlags, InspectRun } from '../inspect/vehicle.ts';
import { checkPrices, createLocalEngine } from '../local-engine.ts';
import { chooseDefaultKind, type FolderOutputs, parseOutputFolders } from '../outputs/parse-output.ts';
import { refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { openRun } from '../outputs/run.ts';
import { openAttempts } from '../outputs/write-outputs.ts';
import { type CliContext, listenForStop, PRESS_AGAIN } from '../terminal/context.ts';
import { EXIT, EXIT_OF_SIGNAL } from '../terminal/exit-codes.ts';
import { countColumns, locateTarget, write, writeFileWhole, writeStatus } from '../terminal/output.ts';
import { type FleetRun, inspectOne, nameFile } from './one-vehicle.ts';
import { computeRunKey } from './resume.ts';
import { describeOutcome, makeEmptyRow, renderSummaryCsv, renderSummaryTable } from './summary.ts';
import { type FleetVehicle, listSubfolders, readVehicleList } from './vehicles.ts';

/**
 * Returns the summary format for stdout: that of a flag or of the setting, or a table. A setting that names a format of
 * one vehicle is ignored.
 * @throws VehiError kind `usage` for an unknown format, or a flag that names one of one vehicle
 */
function chooseSummaryFormat({ json, format }: InspectFlags, settings: Settings): 'table' | 'json' | 'csv' {
  if (json) return 'json';
  const chosen = format ?? chooseDefaultKind(settings, 'inspect');
  if (chosen === 'json' || chosen === 'csv') return chosen;
  if (format === undefined || format === 'table') return 'table';
  throw makeUsageError(`--format ${format} shows one vehicle.`, 'For many vehicles: table, json or csv.');
}

/**
 * Runs `vehi inspect` for a fleet with a single engine: a result and the requested outputs per vehicle, and the summary
 * as CSV and table. Memory holds one row per vehicle. The first Ctrl-C finishes the vehicles in progress.
 */
export async function runFleet(
  args: readonly string[],
  flags: InspectFlags & { readonly many: string },
  ctx: CliContext,
): Promise<void> {
  if (args.length > 0)
    throw makeUsageError(
      `--many ${flags.many} names the vehicles itself, and ${args[0]} was given too.`,
      'For example vehi inspect --many ./fleet',
    );
  const opened = await openRun(flags, ctx);
  const { settings, redaction } = opened;
  const print = chooseSummaryFormat(flags, settings);
  await checkPrices(settings);
  const outputs = parseOutputFolders(flags);
  const [{ path: folder }] = outputs;
  const excluded = [...outputs.map(({ path }) => path), flags.annotated ?? folder];
  const vehicles = await findVehicles(flags.many, excluded, ctx);
  await refuseFleetOverwrites(vehicles, outputs, opened);
  await refuseFoldersOfPhotos(flags.annotated, vehicles, ctx.cwd);
  const engine = await createLocalEngine(opened, 'when-needed');
  const key = await computeRunKey(opened, outputs);
  const run = { ...opened, engine, loadErrors: new Set(), outputs, key };
  const { rows, codes, stopped } = await inspectAll(vehicles, run).finally(() => engine.close());
  await redaction.report();
  const csv = renderSummaryCsv(rows);
  const attempts = openAttempts(ctx);
  await attempts.run(() => writeFileWhole(join(folder, SUMMARY), csv, ctx.cwd));
  const printed = {
    table: () => renderSummaryTable(rows, ctx.color.stdout, countColumns(ctx)),
    json: () => toJsonText({ vehicles: rows }),
    csv: () => csv,
  };
  await write(ctx.stdout, printed[print]());
  await attempts.settle();
  if (!flags.quiet) await writeStatus(ctx, `results and ${SUMMARY} are in ${folder}`);
  ctx.setExitCode(stopped ? EXIT_OF_SIGNAL[stopped] : Math.max(EXIT.done, ...codes));
}

const SUMMARY = 'summary.csv';

/** Refuses outputs of a run, except annotated photos, that would overwrite what it reads. @throws VehiError usage */
async function refuseFleetOverwrites(
  vehicles: readonly FleetVehicle[],
  outputs: FolderOutputs,
  run: InspectRun,
): Promise<void> {
  const [{ path: results }] = outputs;
  const summary = { path: join(results, SUMMARY), words: `--output ${escapeName(results)} (${SUMMARY})` };
  const written = vehicles.flatMap(({ name }) =>
    outputs.map((output) => {
      const { kind, path } = nameFile(output, name);
      return { path, words: `--output ${kind}=${escapeName(output.path)} (${escapeName(path)})` };
    }),
  );
  const files = vehicles.map(({ folder }) => {
    const path = join(folder, 'vehi.json');
    return { path, words: `${escapeName(path)}, which describes the photos` };
  });
  await refuseOverwrites([summary, ...written], run, { files });
}

/** Refuses folders of annotated photos that contain the photos themselves, also through links. @throws VehiError usage */
async function refuseFoldersOfPhotos(
  annotated: string | undefined,
  vehicles: readonly FleetVehicle[],
  cwd: string,
): Promise<void> {
  if (annotated === undefined) return;
  const listed = vehicles.map(async ({ path, folder }) => [await locateTarget(path), folder] as const);
  const folders = new Map(await Promise.all(listed));
  for (const { name } of vehicles) {
    const target = join(annotated, name);
    const photos = folders.get(await locateTarget(resolve(cwd, target)));
    if (photos !== undefined) {
      const message = `--annotated ${escapeName(annotated)} would write into ${escapeName(photos)}, a folder of photos.`;
      const hint = 'Write to another place; nothing was changed.';
      throw new VehiError('usage', 'OUTPUT_OVERWRITES', message, { hint });
    }
  }
}

async function findVehicles(many: string, excluded: readonly string[], ctx: CliContext) {
  const outputs = excluded.map((path) => resolve(ctx.cwd, path));
  const isFile = (await stat(resolve(ctx.cwd, many)).catch(() => undefined))?.isFile();
  if (isFile ?? many.endsWith('.csv')) return readVehicleList(many, ctx);
  const { vehicles, strays } = await listSubfolders(many, ctx.cwd, outputs);
  const names = strays.map(escapeName).join(', ');
  if (names !== '')
    await writeStatus(ctx, `vehi: not inspected, because they are in no vehicle's folder: ${names}`);
  return vehicles;
}

async function inspectAll(vehicles: readonly FleetVehicle[], run: FleetRun) {
  const { ctx, flags } = run;
  const stop = listenForStop(
    ctx,
    () => void writeStatus(ctx, `vehi: stopping after the vehicles in progress; ${PRESS_AGAIN}`),
  );
  const all = String(vehicles.length);
  let done = 0;
  try {
    const concurrency = run.settings.concurrency.value;
    const outcomes = await mapConcurrently(vehicles, concurrency, stop.signal, async (vehicle) => {
      const outcome = await inspectOne(vehicle, run);
      done++;
      const { row, isReused } = outcome;
      const words = `${escapeName(row.vehicle_id)}  ${describeOutcome(row)}${isReused ? ' (already inspected)' : ''}`;
      if (!flags.quiet) await writeStatus(ctx, `${String(done).padStart(all.length)}/${all}  ${words}`);
      return outcome;
    });
    const rows = outcomes.map(
      (one, index) => one?.row ?? makeEmptyRow('not_begun', vehicles[index] as FleetVehicle),
    );
    return { rows, codes: outcomes.flatMap((one) => (one ? [one.code] : [])), stopped: stop.stopped() };
  } finally {
    stop.remove();
  }
}
