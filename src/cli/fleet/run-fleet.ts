import { readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readFailOn, type Settings } from '../../config/settings.ts';
import type { Engine } from '../../index.ts';
import { VehiError } from '../../lib/errors.ts';
import { hashBytes, hashJson } from '../../lib/ids.ts';
import { toJsonText } from '../../lib/json.ts';
import { mapInOrder } from '../../lib/lists.ts';
import { escapeName } from '../../lib/names.ts';
import { readPackageVersion } from '../../lib/package.ts';
import type { InspectFlags } from '../inspect/inspect-request.ts';
import { checkPrices, createLocalEngine } from '../local-engine.ts';
import { type FolderOutput, parseFolderOutput } from '../outputs/parse-output.ts';
import { type NamedFile, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { openRun } from '../outputs/run.ts';
import type { RunView } from '../outputs/view.ts';
import {
  describeOutcome,
  renderSummaryCsv,
  renderSummaryTable,
  type SummaryRow,
} from '../tables/fleet-summary.ts';
import { type CliContext, listenForStop, PRESS_AGAIN, type StopSignal } from '../terminal/context.ts';
import { combineExitCodes, EXIT_OF_SIGNAL, type ExitCode } from '../terminal/exit-codes.ts';
import { findModelDir } from '../terminal/model-dir.ts';
import { countColumns, write, writeFileWhole, writeStatus } from '../terminal/output.ts';
import { makeRequestError } from '../terminal/usage-errors.ts';
import { type FleetRun, inspectOne, makeNotBegunRow, nameFile } from './one-vehicle.ts';
import { type FleetVehicle, listStrayPhotos, listSubFolders, readVehicleList } from './vehicles.ts';

/** Output folders of a fleet, as given by the user. */
interface OutputFolders {
  /** Folder of summary.csv and one JSON per vehicle. */
  readonly results: string;
  /** Folders of further output kinds, one file per vehicle each. */
  readonly outputs: readonly FolderOutput[];
}

/**
 * Parses the folders of `--output`: `FOLDER` (or `json=FOLDER`) for the results, `KIND=FOLDER` for another kind.
 * @throws VehiError kind `usage` for several results folders, an unknown kind, or a path that is not a folder
 */
function parseOutputFolders({ output = [] }: InspectFlags): OutputFolders {
  const outputs = output.map(parseFolderOutput);
  const [first, second] = outputs.filter(({ kind }) => kind === 'json');
  if (second !== undefined)
    throw makeRequestError('--output names two folders for the results; one is needed.', OUTPUT_HINT);
  return { results: first?.folder ?? 'vehi-results', outputs: outputs.filter(({ kind }) => kind !== 'json') };
}

const OUTPUT_HINT = 'For example --output results --output pdf=reports';

/**
 * Returns the summary format for stdout.
 * @throws VehiError kind `usage` for a format that supports a single vehicle only
 */
function chooseSummaryFormat({ json, format }: InspectFlags): 'table' | 'json' | 'csv' {
  if (json) return 'json';
  if (format === undefined || format === 'table') return 'table';
  if (format === 'json' || format === 'csv') return format;
  throw makeRequestError(`--format ${format} shows one vehicle.`, 'For many vehicles: table, json or csv.');
}

/**
 * Runs `vehi inspect` for a fleet with a single engine: a result and the requested outputs per
 * vehicle, and the summary as CSV and table. Memory holds one row per vehicle. The first Ctrl-C finishes the vehicles
 * in progress.
 */
export async function runFleet(
  args: readonly string[],
  flags: InspectFlags & { readonly many: string },
  ctx: CliContext,
): Promise<void> {
  if (args.length > 0)
    throw makeRequestError(
      `--many ${flags.many} names the vehicles itself, and ${args[0]} was given too.`,
      'For example vehi inspect --many ./fleet',
    );
  const { settings, now, page, redaction } = await openRun(flags, ctx);
  const print = chooseSummaryFormat(flags);
  await checkPrices(settings);
  const { results: folder, outputs } = parseOutputFolders(flags);
  const view = { ...readFailOn(settings), page, now };
  const excluded = [folder, ...outputs.map((output) => output.folder), flags.annotated ?? folder];
  const vehicles = await findVehicles(flags.many, excluded, ctx);
  await refuseOverwrites(
    listFleetFiles(vehicles, folder, outputs),
    {
      flags,
      files: vehicles.map(({ folder: photos }) => ({
        path: join(photos, 'vehi.json'),
        words: `${escapeName(join(photos, 'vehi.json'))}, which describes the photos`,
      })),
    },
    ctx,
  );
  await refuseFoldersOfPhotos(flags.annotated, vehicles, ctx.cwd);
  const engine = createLazyEngine(() => createLocalEngine(settings, now));
  const run: FleetRun = {
    flags,
    settings,
    ctx,
    engine,
    folder,
    outputs,
    view,
    redaction,
    key: await computeRunKey(flags, outputs, view, settings, ctx),
    now,
  };
  const { rows, codes, stopped } = await inspectAll(vehicles, run).finally(engine.close);
  await redaction.report();
  await writeFileWhole(join(folder, SUMMARY), renderSummaryCsv(rows), ctx.cwd);
  const summary =
    print === 'json'
      ? toJsonText({ vehicles: rows })
      : print === 'csv'
        ? renderSummaryCsv(rows)
        : renderSummaryTable(rows, ctx.colour.stdout, countColumns(ctx));
  await write(ctx.stdout, summary);
  if (!flags.quiet) await writeStatus(ctx, `results and ${SUMMARY} are in ${folder}`);
  ctx.setExitCode(stopped ? EXIT_OF_SIGNAL[stopped] : combineExitCodes(codes));
}

/** Name of the table of all vehicles in the folder of the results. */
const SUMMARY = 'summary.csv';

/** Lists the files that a run writes, except annotated photos. */
function listFleetFiles(
  vehicles: readonly FleetVehicle[],
  folder: string,
  outputs: readonly FolderOutput[],
): readonly NamedFile[] {
  const kinds = [{ kind: 'json', folder } as const, ...outputs];
  return [
    { path: join(folder, SUMMARY), words: `--output ${escapeName(folder)} (${SUMMARY})` },
    ...vehicles.flatMap(({ name }) =>
      kinds.map((one) => {
        const path = nameFile(one, name);
        return { path, words: `--output ${one.kind}=${escapeName(one.folder)} (${escapeName(path)})` };
      }),
    ),
  ];
}

/**
 * Refuses folders of annotated photos that are folders of photos, by any link.
 * @throws VehiError usage OUTPUT_OVERWRITES
 */
async function refuseFoldersOfPhotos(
  annotated: string | undefined,
  vehicles: readonly FleetVehicle[],
  cwd: string,
): Promise<void> {
  if (annotated === undefined) return;
  const findReal = (path: string) => realpath(path).catch(() => path);
  const folders = new Map<string, string>();
  for (const { path, folder } of vehicles) folders.set(await findReal(path), folder);
  for (const { name } of vehicles) {
    const target = join(annotated, name);
    const photos = folders.get(await findReal(resolve(cwd, target)));
    if (photos !== undefined)
      throw new VehiError(
        'usage',
        'OUTPUT_OVERWRITES',
        `--annotated ${escapeName(annotated)} would write into ${escapeName(photos)}, a folder of photos.`,
        { hint: 'Write to another place; nothing was changed.' },
      );
  }
}

/** Lists the vehicles of the folder or list. */
async function findVehicles(
  many: string,
  excluded: readonly string[],
  ctx: CliContext,
): Promise<readonly FleetVehicle[]> {
  const outputs = excluded.map((path) => resolve(ctx.cwd, path));
  if (await isListFile(many, ctx.cwd)) return readVehicleList(many, ctx.cwd);
  const vehicles = await listSubFolders(many, ctx.cwd, outputs);
  const strays = (await listStrayPhotos(many, ctx.cwd)).map(escapeName);
  if (strays.length > 0)
    await writeStatus(ctx, `vehi: not inspected, as they lie in no vehicle's folder: ${strays.join(', ')}`);
  return vehicles;
}

async function isListFile(many: string, cwd: string): Promise<boolean> {
  const facts = await stat(resolve(cwd, many)).catch(() => undefined);
  return facts?.isFile() ?? many.endsWith('.csv');
}

/** Hashes what all vehicles of a run share: version, models (by the hashes in their manifest), regions, outputs. */
async function computeRunKey(
  { annotated, assess, redact }: InspectFlags,
  outputs: readonly FolderOutput[],
  { page, now: _now, ...rules }: RunView,
  settings: Settings,
  ctx: CliContext,
): Promise<string> {
  const { regions } = settings;
  const font = page.extraFont && hashBytes(page.extraFont);
  const locate = (folder: string | undefined) => folder && resolve(ctx.cwd, folder);
  return hashJson([
    readPackageVersion(),
    await readFile(join(findModelDir(settings, ctx), 'manifest.json'), 'utf8').catch(() => ''),
    regions.value && (await readFile(regions.value, 'utf8').catch(() => '')),
    [assess, redact ?? settings.redact.value, rules, { ...page, extraFont: font }],
    [locate(annotated), ...outputs.map(({ kind, folder }) => [kind, locate(folder)])],
  ]);
}

/** Creates the engine on first use, so a resumed run without new vehicles loads no model. */
function createLazyEngine(make: () => Promise<Engine>) {
  let engine: Promise<Engine> | null = null;
  let failure: unknown;
  return {
    get: () => {
      engine ??= make().catch((error: unknown) => {
        failure = error;
        throw error;
      });
      return engine;
    },
    failure: () => failure,
    close: async () => {
      await engine?.then(
        (opened) => opened.close(),
        () => undefined,
      );
    },
  };
}

async function inspectAll(
  vehicles: readonly FleetVehicle[],
  run: FleetRun,
): Promise<{ rows: SummaryRow[]; codes: ExitCode[]; stopped: StopSignal | null }> {
  const { ctx, flags } = run;
  const stop = listenForStop(
    ctx,
    () => void writeStatus(ctx, `vehi: stopping after the vehicles in progress; ${PRESS_AGAIN}`),
  );
  const all = String(vehicles.length);
  let done = 0;
  try {
    const concurrency = run.settings.concurrency.value;
    const outcomes = await mapInOrder(vehicles, concurrency, stop.signal, async (vehicle) => {
      const outcome = await inspectOne(vehicle, run);
      done++;
      const { row, isReused } = outcome;
      const words = `${escapeName(row.vehicle_id)}  ${describeOutcome(row)}${isReused ? ' (already inspected)' : ''}`;
      if (!flags.quiet) await writeStatus(ctx, `${String(done).padStart(all.length)}/${all}  ${words}`);
      return outcome;
    });
    const rows = outcomes.map((one, index) => one?.row ?? makeNotBegunRow(vehicles[index] as FleetVehicle));
    return { rows, codes: outcomes.flatMap((one) => (one ? [one.code] : [])), stopped: stop.stopped() };
  } finally {
    stop.remove();
  }
}
