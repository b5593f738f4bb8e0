import { readFailOn, type Settings } from '../../config/settings.ts';
import type { InspectEvent, InspectRequest, PhotoInput } from '../../engine/request.ts';
import { gatherPhotos } from '../../images/find/gather-photos.ts';
import { createLocalInspector } from '../backend/inspect-locally.ts';
import type { Inspected, Inspector } from '../backend/inspector.ts';
import { gatherKnownVehicle } from '../outputs/claim-file.ts';
import { readPageSettings } from '../outputs/page-options.ts';
import { choosePrinted, parseOutput } from '../outputs/parse-output.ts';
import { openRedaction } from '../outputs/redaction.ts';
import { needTerminal } from '../review/need-terminal.ts';
import type { WaitingPage } from '../review/waiting.ts';
import type { CliContext } from '../terminal/context.ts';
import { decideExit } from '../terminal/exit-code.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { chooseClock } from '../terminal/now.ts';
import { printStatus } from '../terminal/progress.ts';
import { type Delivery, deliver } from './deliver.ts';
import { type InspectFlags, WAIT_SECONDS } from './flags.ts';
import { makeInspectRequest, needPhotos, readSettings } from './inspect-request.ts';
import type { InspectedCar } from './inspected-car.ts';
import { deliverEach, refuseWithSplit } from './split-vehicles.ts';

/** Runs `vehi inspect`; with --review a page fills meanwhile, which is closed whatever happens. */
export async function runInspect(
  args: readonly string[],
  flags: InspectFlags,
  given: CliContext,
): Promise<void> {
  const { photos, ctx } = await needPhotos(args, given);
  if (!flags.review) return inspectAndDeliver(photos, flags, ctx, null);
  needTerminal(ctx);
  const waiting = (await import('../review/waiting.ts')).createWaitingPage({}, ctx);
  try {
    await inspectAndDeliver(photos, flags, ctx, waiting);
  } finally {
    await waiting.close();
  }
}

/** Finds the photos, inspects them, writes what was asked for, sets the exit code. */
async function inspectAndDeliver(
  photos: readonly string[],
  flags: InspectFlags,
  ctx: CliContext,
  waiting: WaitingPage | null,
): Promise<void> {
  const settings = readSettings(flags, ctx);
  const print = choosePrinted(flags.json, settings, 'inspect');
  const outputs = (flags.output ?? []).map((value) => parseOutput(value, 'inspect'));
  refuseWithSplit(flags, print, outputs);
  const now = chooseClock(flags.now, ctx);
  const page = await readPageSettings(flags, ctx);
  if (flags.save) await (await import('../results/results.ts')).openResultStore(ctx).prepare();
  const redaction = await openRedaction(flags, ctx);
  const gathered = await gatherPhotos(photos, {
    cwd: ctx.cwd,
    recursive: Boolean(flags.recursive),
    stdin: ctx.stdin as AsyncIterable<Uint8Array>,
  });
  for (const warning of gathered.warnings) await printStatus(ctx, `vehi: ${warning}`);
  const known = gatherKnownVehicle(flags, gathered, settings);
  const request = makeInspectRequest({ ...gathered, vehicle: known.vehicle }, flags, settings);
  const run: Delivery = { flags, settings, gathered, known, print, outputs, page, redaction, now };
  const inspector = await chooseInspector(flags, settings, now, ctx, waiting?.onEvent);
  try {
    await waiting?.open(request.vehicleId, request.photos);
    const found = await inspector.inspect(request);
    await reportRejected(found, ctx);
    const groups = flags.splitVehicles ? found.envelope.data.vehicle_groups : [];
    if (groups.length > 1) {
      const cars = await deliverEach(found, groups, request, run, inspector, ctx);
      return await judge(cars, flags, settings, found, ctx);
    }
    if (flags.splitVehicles && found.envelope.data.results !== null) await printStatus(ctx, ONE_PAINT);
    const unknown = mayAsk(run, found, ctx) ? listPhotosWithoutAngle(request, found) : [];
    if (unknown.length === 0) await inspector.close();
    const first = await deliver(found.envelope, run, ctx);
    const car = await askForMissingAngles(first, unknown, request, run, inspector, ctx);
    const door = waiting?.door();
    if (door && car.inspection.data.results && !found.stopped)
      await (await import('./review-car.ts')).reviewCar(car, run, ctx, door);
    await judge([car], flags, settings, found, ctx);
    if (ctx.guided) await (await import('./offer-more.ts')).offerMore(car, run, ctx);
  } finally {
    await inspector.close();
    await redaction.close();
  }
}

/** Said where there is nothing to split by: results of several vehicles in one must not look like one vehicle's. */
const ONE_PAINT =
  'vehi: one result: the paint in the photos does not separate vehicles and cannot separate those of like paint';

async function chooseInspector(
  flags: InspectFlags,
  settings: Settings,
  now: () => Date,
  ctx: CliContext,
  onEvent?: (event: InspectEvent) => void,
): Promise<Inspector> {
  if (!flags.remote) return createLocalInspector(settings, Boolean(flags.quiet), ctx, now, onEvent);
  const { createRemoteInspector } = await import('../backend/remote-inspector.ts');
  const ask = async (photos: readonly PhotoInput[]) => {
    if (!ctx.interactive || flags.json || flags.quiet || photos.length === 0) return new Map();
    const { askAnglesForService } = await import('./ask-angles.ts');
    return askAnglesForService(photos, ctx);
  };
  return createRemoteInspector(flags, settings, flags.wait ?? WAIT_SECONDS, ask, now, ctx);
}

/**
 * Returns whether a person looks at the result on this terminal and may be asked about it; a service got all angles.
 */
function mayAsk({ flags, print, outputs }: Delivery, { stopped }: Inspected, ctx: CliContext): boolean {
  const onScreen = ctx.stdout.isTTY && print === 'table' && !outputs.some(({ path }) => path === '-');
  // With --review people look at the page.
  const isAsked = !flags.quiet && !flags.remote && !flags.review;
  return Boolean(ctx.interactive && onScreen && isAsked && !stopped);
}

/** Returns the photos whose angle nobody stated and the parts do not show. */
function listPhotosWithoutAngle({ photos }: InspectRequest, { envelope }: Inspected): readonly PhotoInput[] {
  const images = envelope.data.results ? envelope.data.images : [];
  const unknown = images
    .filter(({ angle_source, issues }) => angle_source === 'unknown' && !issues.some(isWithoutVehicle))
    .map(({ url }) => url);
  return photos.filter(({ url, source }) => source.kind === 'file' && unknown.includes(url));
}

/** Returns whether no vehicle is recognised in a photo, so that an angle changes nothing. */
function isWithoutVehicle({ code }: { readonly code: string }): boolean {
  return code === 'no_vehicle';
}

async function askForMissingAngles(
  first: InspectedCar,
  unknown: readonly PhotoInput[],
  ...rest: [request: InspectRequest, run: Delivery, inspector: Inspector, ctx: CliContext]
): Promise<InspectedCar> {
  if (unknown.length === 0) return first;
  const { askForAnglesAfterwards } = await import('./angles-afterwards.ts');
  return askForAnglesAfterwards(first, unknown, ...rest);
}

async function reportRejected({ envelope }: Inspected, ctx: CliContext): Promise<void> {
  for (const { url, message } of envelope.data.rejected_images) {
    await printStatus(ctx, `vehi: ${message.includes(url) ? message : `${url}: ${message}`}`);
  }
}

/** Sets the exit code, the worst of all vehicles, and says which condition each stands for. */
async function judge(
  cars: readonly InspectedCar[],
  { failOnCost, failOnUnchecked, minScore, strict }: InspectFlags,
  settings: Settings,
  { stopped }: Inspected,
  ctx: CliContext,
): Promise<void> {
  const failOn = readFailOn(settings);
  const rules = { failOn, failOnCost, failOnUnchecked, minScore, strict: Boolean(strict), stopped };
  const verdicts = cars.map(({ inspection: { data } }) => ({
    id: data.vehicle_id,
    ...decideExit({ inspection: data }, rules),
  }));
  ctx.setExitCode(decideExit({ codes: verdicts.map(({ code }) => code) }).code);
  for (const { id, code, because } of verdicts)
    if (because && (code === EXIT.thresholdHit || code === EXIT.inputRejected))
      await printStatus(ctx, `vehi: ${cars.length > 1 ? `${id}: ` : ''}${because}`);
}
