import { type Settings, text } from '../../config/settings.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Severity } from '../../domain/damage.ts';
import type { InspectRequest } from '../../engine/request.ts';
import { gatherPhotos } from '../../images/find/gather-photos.ts';
import { asUsage, inspectLocally } from '../backend/inspect-locally.ts';
import { openAttempts } from '../outputs/attempts.ts';
import { filed, knownVehicle } from '../outputs/claim-file.ts';
import { type OutputKind, renderResult } from '../outputs/kinds.ts';
import { pageSettings } from '../outputs/page-options.ts';
import { type Output, parseOutput, printedKind } from '../outputs/parse-output.ts';
import { openRedaction, type Redaction } from '../outputs/redaction.ts';
import { reportPictures } from '../outputs/report-pictures.ts';
import { fileView, type RunView, screenView } from '../outputs/view.ts';
import { tellWritten, writeOutputs } from '../outputs/write-outputs.ts';
import { needTerminal } from '../review/need-terminal.ts';
import type { CliContext, StopSignal } from '../terminal/context.ts';
import { verdict } from '../terminal/exit-code.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { clockOf } from '../terminal/now.ts';
import { write } from '../terminal/output.ts';
import { tell } from '../terminal/progress.ts';
import { type InspectFlags, WAIT_SECONDS } from './flags.ts';
import { assessInspection } from './inspect-and-assess.ts';
import { needPhotos, requestOf, settingsOf } from './inspect-request.ts';
import { type InspectedCar, sourceOf } from './inspected-car.ts';

/** Runs `vehi inspect`: finds the photos, inspects them, writes what was asked for, sets the exit code. */
export async function runInspect(
  args: readonly string[],
  flags: InspectFlags,
  ctx: CliContext,
): Promise<void> {
  needPhotos(args);
  if (flags.review) needTerminal(ctx);
  const settings = settingsOf(flags, ctx);
  const print = printedKind(flags.json ? 'json' : (text(settings.format) ?? 'table'), 'inspect');
  const outputs = (flags.output ?? []).map((value) => parseOutput(value, 'inspect'));
  const now = clockOf(flags.now, ctx);
  const page = await pageSettings(flags, ctx);
  const redaction = await openRedaction(flags, ctx);
  const gathered = await gatherPhotos(args, {
    cwd: ctx.cwd,
    recursive: Boolean(flags.recursive),
    stdin: ctx.stdin as AsyncIterable<Uint8Array>,
  });
  for (const warning of gathered.warnings) await tell(ctx, `vehi: ${warning}`);
  const known = knownVehicle(flags, gathered, settings);
  const request = requestOf({ ...gathered, vehicle: known.vehicle }, flags, settings);
  const { envelope: found, stopped } = await inspectAsking(request, settings, flags, ctx, now);
  const envelope = filed(found, known.file);
  await tellRejected(envelope, ctx);
  const attempts = openAttempts(ctx);
  const annotated = flags.annotated
    ? await attempts.of(() => annotate(envelope, gathered.photos, flags, redaction, ctx))
    : undefined;
  const car: InspectedCar = {
    inspection: envelope,
    assessment:
      flags.assess && envelope.data.results
        ? await assessInspection(envelope, known.vehicle, settings, now)
        : null,
    photos: gathered.photos,
  };
  const source = sourceOf(car, ctx.cwd);
  const view: RunView = {
    failOn: text(settings.fail_on) as Severity | 'none',
    failOnUnchecked: flags.failOnUnchecked,
    page,
    now,
    pictures: reportPictures(source, undefined, redaction, ctx),
  };
  const contents = ({ kind }: Output) => renderResult(kind, source, fileView(view));
  const written = await writeOutputs(outputs, contents, attempts, ctx);
  await redaction.close();
  if (flags.save && envelope.data.results) await attempts.of(() => save(car, ctx));
  await show(car, print, { ...view, quiet: Boolean(flags.quiet), verbose: Boolean(flags.verbose) }, ctx);
  if (!flags.quiet && print === 'table') {
    await tellWritten(written, ctx);
    if (annotated?.length)
      await tell(ctx, `${annotated.length} annotated photos written to ${flags.annotated}`);
  }
  await attempts.settle();
  if (flags.review && envelope.data.results) {
    const { reviewInspected } = await import('../review/review.run.ts');
    const named = outputs.find(({ kind, path }) => kind === 'json' && path !== '-')?.path;
    const name = named ?? `${envelope.data.inspection_id}.json`;
    await reviewInspected({ ...source, inspection: envelope }, name, flags, ctx);
  }
  await judge(car, flags, settings, stopped, ctx);
}

/** Inspects; on a terminal asks for angles that nothing stated, remembers them, and inspects again with them. */
async function inspectAsking(
  request: InspectRequest,
  settings: Settings,
  flags: InspectFlags,
  ctx: CliContext,
  now: () => Date,
): Promise<{ envelope: InspectionEnvelope; stopped: StopSignal | null }> {
  const first = await inspectHereOrThere(request, settings, flags, ctx, now);
  // With --recursive the manifest stands in a folder above the photo.
  const mayAsk = ctx.interactive && !flags.json && !flags.quiet && !flags.recursive && !flags.remote;
  if (!mayAsk || first.stopped || !first.envelope.data.images.some(isUntold)) return first;
  const { askAngles } = await import('./ask-angles.ts');
  const { terminalAsker } = await import('../terminal/asker.ts');
  const asked = await askAngles(request, first.envelope, await terminalAsker(ctx));
  if (!asked) return first;
  for (const manifest of asked.manifests) await tell(ctx, `remembered in ${manifest}`);
  return inspectHereOrThere(asked.request, settings, flags, ctx, now);
}

function isUntold(photo: { readonly angle_source: string }): boolean {
  return photo.angle_source === 'unknown';
}

async function inspectHereOrThere(
  request: InspectRequest,
  settings: Settings,
  flags: InspectFlags,
  ctx: CliContext,
  now: () => Date,
): Promise<{ envelope: InspectionEnvelope; stopped: StopSignal | null }> {
  if (!flags.remote) return inspectLocally(request, settings, Boolean(flags.quiet), ctx, now);
  const { openRemote, refuseLocalFlags } = await import('../backend/remote.ts');
  const { inspectRemotely } = await import('../backend/remote-work.ts');
  refuseLocalFlags(flags);
  try {
    const envelope = await inspectRemotely(
      openRemote(flags, ctx),
      request,
      settings,
      flags.wait ?? WAIT_SECONDS,
    );
    return { envelope, stopped: null };
  } catch (error) {
    throw asUsage(error);
  }
}

async function tellRejected(envelope: InspectionEnvelope, ctx: CliContext): Promise<void> {
  for (const { url, message } of envelope.data.rejected_images) {
    await tell(ctx, `vehi: ${message.includes(url) ? message : `${url}: ${message}`}`);
  }
}

/** Writes the analysed photos with numbered boxes; the paths go into the result. */
async function annotate(
  envelope: InspectionEnvelope,
  photos: InspectRequest['photos'],
  flags: InspectFlags,
  redaction: Redaction,
  ctx: CliContext,
): Promise<readonly string[]> {
  const { annotateInspection } = await import('./annotated.ts');
  return annotateInspection(envelope, photos, flags.annotated ?? '', ctx.cwd, redaction);
}

async function save(car: InspectedCar, ctx: CliContext): Promise<void> {
  const { keepResults } = await import('../results/results.ts');
  await keepResults(sourceOf(car, ctx.cwd), ctx);
  await tell(ctx, `kept as ${car.inspection.data.inspection_id} (vehi history lists what is kept)`);
}

async function show(car: InspectedCar, print: OutputKind, view: RunView, ctx: CliContext): Promise<void> {
  return write(ctx.stdout, await renderResult(print, car, screenView(view, ctx)));
}

/** Sets the exit code and says which condition it stands for. */
async function judge(
  car: InspectedCar,
  flags: InspectFlags,
  settings: Settings,
  stopped: StopSignal | null,
  ctx: CliContext,
): Promise<void> {
  const failOn = text(settings.fail_on) as Severity | 'none';
  const { failOnCost, failOnUnchecked, minScore } = flags;
  const strict = Boolean(flags.strict);
  const rules = { failOn, failOnCost, failOnUnchecked, minScore, strict, stopped };
  const { code, because } = verdict(car.inspection.data, rules);
  ctx.setExitCode(code);
  if (because && (code === EXIT.thresholdHit || code === EXIT.inputRejected))
    await tell(ctx, `vehi: ${because}`);
}
