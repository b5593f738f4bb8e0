import { readFailOn, type Settings } from '../../config/settings.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { InspectedResult } from '../../contract/result.ts';
import { gatherPhotos } from '../../images/find/gather-photos.ts';
import { checkPrices, inspectLocally } from '../local-engine.ts';
import { nameDrawnCopies } from '../outputs/drawn-copies.ts';
import { gatherKnownVehicle } from '../outputs/known-vehicle.ts';
import { chooseOutputs, chooseUsualKind } from '../outputs/parse-output.ts';
import { nameCopies, nameOutputs, namePhotoFiles, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { openRun } from '../outputs/run.ts';
import type { CliContext, StopSignal } from '../terminal/context.ts';
import { decideInspection } from '../terminal/decide-exit.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { writeStatus } from '../terminal/output.ts';
import { makeRequestError } from '../terminal/usage-errors.ts';
import { type Delivery, deliver, deliverEvidence } from './deliver.ts';
import { type InspectFlags, makeInspectRequest, requirePhotos } from './inspect-request.ts';
import { refuseUsedFolder, sortPhotos } from './sort-photos.ts';

/** Finds the photos, inspects them, writes the outputs, sets the exit code. */
export async function runInspect(
  args: readonly string[],
  flags: InspectFlags,
  given: CliContext,
): Promise<void> {
  if (flags.many !== undefined)
    return (await import('../fleet/run-fleet.ts')).runFleet(args, { ...flags, many: flags.many }, given);
  if (flags.resume)
    throw makeRequestError(
      '--resume is for many vehicles.',
      'Add --many FOLDER (each sub-folder a vehicle) or --many list.csv, or leave it out.',
    );
  const { photos, ctx } = await requirePhotos(args, given);
  const opened = await openRun(flags, ctx);
  const { settings, redaction } = opened;
  await checkPrices(settings);
  const { print, files: outputs } = chooseOutputs(
    flags,
    'inspect',
    chooseUsualKind(settings, 'inspect'),
    ctx,
  );
  const gathered = await gatherPhotos(photos, {
    cwd: ctx.cwd,
    recursive: Boolean(flags.recursive),
    stdin: ctx.stdin as AsyncIterable<Uint8Array>,
  });
  for (const warning of gathered.warnings) await writeStatus(ctx, `vehi: ${warning}`);
  await refuseUsedFolder(flags.sort, ctx.cwd);
  const copies = nameDrawnCopies(flags.annotated, gathered);
  await refuseOverwrites(
    [...nameOutputs(outputs), ...nameCopies(copies)],
    { flags, files: namePhotoFiles(gathered) },
    ctx,
  );
  const known = await gatherKnownVehicle(flags, gathered, settings);
  const request = makeInspectRequest(gathered, known.file, flags, settings);
  const run: Delivery = { ...opened, flags, gathered, copies, known, print, outputs };
  try {
    const { found, stopped } = await inspectLocally(request, { ...opened, quiet: Boolean(flags.quiet) }, ctx);
    await reportRejected(found, ctx);
    const delivered = await deliver(found, run, ctx);
    const { result } = delivered;
    await reportVerdict(result, flags, settings, stopped, ctx);
    if (!result.inspection.data.results || stopped) return;
    if (flags.sort !== undefined) await sortPhotos(result.inspection.data, gathered, flags.sort, ctx);
    await deliverEvidence(delivered, outputs, ctx);
    if (ctx.guided) await (await import('./offer-more.ts')).offerMore(result, run, ctx);
  } finally {
    await redaction.report();
  }
}

async function reportRejected({ data }: InspectionEnvelope, ctx: CliContext): Promise<void> {
  for (const { url, message } of data.rejected_images) {
    await writeStatus(ctx, `vehi: ${message.includes(url) ? message : `${url}: ${message}`}`);
  }
}

/** Sets the exit code, and prints the condition behind it. */
async function reportVerdict(
  { inspection: { data } }: InspectedResult,
  { strict }: InspectFlags,
  settings: Settings,
  stopped: StopSignal | null,
  ctx: CliContext,
): Promise<void> {
  const rules = { ...readFailOn(settings), strict: Boolean(strict), stopped };
  const { code, message } = decideInspection(data, rules);
  ctx.setExitCode(code);
  if (message && (code === EXIT.thresholdHit || code === EXIT.inputRejected))
    await writeStatus(ctx, `vehi: ${message}`);
}
