import { EventEmitter, on } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import chalk from 'chalk';
import { renderUnicodeCompact } from 'uqr';
import { readLimitOverrides } from '../../config/settings.ts';
import type { CapturedPhoto } from '../../contract/capture.ts';
import type { LanguageCode } from '../../domain/language.ts';
import { VehiError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/format-count.ts';
import { escapeName } from '../../lib/names.ts';
import { describeHint } from '../../report/capture-words.ts';
import { findLanguage, writeIn } from '../../report/languages.ts';
import { english } from '../../report/translator.ts';
import { type CapturePage, openCapturePage } from '../../server/capture/capture-page.ts';
import type { FlagsOf } from '../commands.ts';
import { checkVehicleId, readClaimFlags } from '../known-vehicle.ts';
import { createLocalEngine } from '../local-engine.ts';
import { chooseOutputs } from '../outputs/parse-output.ts';
import { nameOutputs, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { openRun } from '../outputs/run.ts';
import { readInspection } from '../results/result-source.ts';
import type { CliContext, StopSignal } from '../terminal/context.ts';
import { EXIT_OF_SIGNAL } from '../terminal/exit-codes.ts';
import { locateTarget, reportUsedLink, write, writeStatus } from '../terminal/output.ts';
import { formatCommand, quoteCommandLine } from '../terminal/shell-words.ts';
import { openCaptureFolder } from './capture-folder.ts';
import { inspectCaptured, listOutputs } from './inspect-captured.ts';
import { listLanAddresses } from './lan-address.ts';
import { openCapture } from './open-capture.ts';
import { listShots, openEarlier } from './shots.ts';

/** Time for which the phone can still show the result if nobody is at the terminal. */
const LINGER_MS = 30_000;

type CaptureFlags = FlagsOf<'capture'>;

/** Runs `vehi capture`: a phone takes the photos; this machine checks, stores and inspects them. */
export async function runCapture(given: string | undefined, flags: CaptureFlags, ctx: CliContext) {
  const host = flags.host ?? chooseHost();
  const path = resolve(ctx.cwd, given ?? flags.vehicleId ?? 'capture');
  const run = await checkInspection(path, flags, ctx);
  const { baseline, settings, redaction } = run;
  const vehicleId = checkVehicleId(flags.vehicleId ?? baseline?.inspection.data.vehicle_id ?? basename(path));
  const folder = await openCaptureFolder(path);
  const language = (settings.language.value as LanguageCode | null) ?? findLanguage(settings.region.value);
  const engine = await createLocalEngine(run);
  const capture = await openCapture(
    { path, folder, shots: listShots(baseline, writeIn(language)), vehicleId, language, engine },
    (photo) => void writeStatus(ctx, describePhoto(photo)),
  );
  const temporary = await mkdtemp(join(tmpdir(), 'vehi-capture-'));
  const reportFile = join(temporary, 'report.html');
  const earlier = openEarlier(baseline, redaction);
  const requests = openRequests(ctx);
  let page: CapturePage | undefined;
  const showLink = async () => {
    const link = page?.createLink() ?? '';
    await write(ctx.stderr, `${drawCode(link, ctx)}\n${link}\n`);
  };
  try {
    page = await openCapturePage(
      {
        ...capture,
        readEarlier: earlier.read,
        finish: () => requests.add(null),
        reportFile,
        onUsedLink: () => void reportUsedLink(ctx),
      },
      { host, port: flags.port },
    );
    await showLink();
    await writeStatus(ctx, describeStart(path, folder.photoCount, flags, ctx));
    if (ctx.interactive) ctx.stdin.on('data', showLink);
    const inspect = () => inspectCaptured({ path, vehicleId, reportFile, flags, language }, ctx);
    const signal = await inspectOnRequest(requests, capture, inspect, ctx);
    if (signal === null) return;
    ctx.setExitCode(EXIT_OF_SIGNAL[signal]);
    await writeStatus(ctx, describeStop(path, folder.photoCount, flags, ctx));
  } finally {
    requests.close();
    ctx.stdin.off('data', showLink);
    ctx.stdin.pause();
    await Promise.all([
      page?.close(),
      engine.close(),
      earlier.close(),
      rm(temporary, { recursive: true, force: true }),
    ]);
  }
}

/** Refuses before the first photo what the inspection would refuse, and reads the result of the handover. */
async function checkInspection(path: string, flags: CaptureFlags, ctx: CliContext) {
  if (flags.baseline !== undefined) await refuseOwnBaseline(flags.baseline, path, ctx);
  const run = await openRun(flags, ctx);
  const output = listOutputs(path, flags, ctx);
  const { outputs } = chooseOutputs({ ...flags, output }, 'inspect', 'table', ctx);
  await refuseOverwrites(nameOutputs(outputs), run);
  readClaimFlags(flags);
  readLimitOverrides(run.settings);
  const baseline = flags.baseline === undefined ? undefined : await readInspection(flags.baseline, ctx);
  return { ...run, baseline };
}

/** Opens the requests from phone and terminal: null once all photos are taken, or a signal to stop. */
function openRequests(ctx: CliContext) {
  const emitter = new EventEmitter<{ request: [StopSignal | null] }>();
  const all = on(emitter, 'request') as AsyncIterable<[StopSignal | null]>;
  const add = (request: StopSignal | null) => void emitter.emit('request', request);
  return { all, add, close: ctx.onStop(add) };
}

/**
 * Inspects at each request until a signal to stop, which comes by itself after a result if nobody is at the terminal.
 * @returns the signal, or null if there is a result
 */
async function inspectOnRequest(
  { all, add }: ReturnType<typeof openRequests>,
  capture: Pick<Awaited<ReturnType<typeof openCapture>>, 'startInspecting' | 'endInspecting'>,
  inspect: () => ReturnType<typeof inspectCaptured>,
  ctx: CliContext,
): Promise<StopSignal | null> {
  let linger: NodeJS.Timeout | undefined;
  let isFinished = false;
  for await (const [signal] of all) {
    clearTimeout(linger);
    if (signal !== null) return isFinished ? null : signal;
    capture.startInspecting();
    const { stage, lines } = await inspect();
    capture.endInspecting(stage, lines);
    isFinished ||= stage === 'finished';
    if (stage === 'finished' && ctx.interactive)
      await writeStatus(ctx, 'vehi: the phone shows the result too. Ctrl-C ends; more photos can come.');
    if (isFinished && !ctx.interactive) linger = setTimeout(() => add('SIGINT'), LINGER_MS);
  }
  return null;
}

const describePhoto = ({ name, hints }: CapturedPhoto) =>
  `${name}  ${hints.map((hint) => describeHint(hint, english)).join(' ') || 'good'}`;

/** @throws VehiError usage if the handover's result or photos would be replaced by the new ones */
async function refuseOwnBaseline(name: string, folder: string, ctx: CliContext): Promise<void> {
  if (dirname(await locateTarget(resolve(ctx.cwd, name))) !== (await locateTarget(folder))) return;
  const message = `${escapeName(name)} lies in the folder for the new photos, which would replace it.`;
  throw new VehiError('usage', 'INVALID_REQUEST', message, {
    field: 'baseline',
    hint: `Give another folder: ${quoteCommandLine(['vehi', 'capture', './return', '--baseline', name])}`,
  });
}

/** Chooses the address to serve on. @throws VehiError usage without a local network */
function chooseHost(): string {
  const [address] = listLanAddresses(networkInterfaces());
  if (address !== undefined) return address;
  throw new VehiError('usage', 'NO_NETWORK', 'this machine has no address in a local network.', {
    hint: 'Join the network of the phone, or name the address with --host.',
  });
}

/** Draws the QR code of a link, with dark modules on light in any terminal color scheme. */
function drawCode(link: string, ctx: CliContext): string {
  const code = renderUnicodeCompact(link, { border: 2 });
  return ctx.color.stderr === 0 ? code : code.replace(/^.+$/gm, (line) => chalk.bgBlack.whiteBright(line));
}

function describeStart(path: string, photoCount: number, flags: CaptureFlags, ctx: CliContext): string {
  const others = flags.host === undefined ? listLanAddresses(networkInterfaces()).slice(1) : [];
  const has = photoCount === 0 ? '' : ` It has ${formatCount(photoCount, 'photo')} already.`;
  return [
    'Scan it with the phone, in the same network. The page is plain HTTP: use a network you trust.',
    ...(others.length > 0 ? [`If the phone does not reach it: --host ${others.join(' or ')}`] : []),
    `Photos go to ${escapeName(relative(ctx.cwd, path) || path)}.${has} Ctrl-C ends it and keeps them.`,
  ].join('\n');
}

function describeStop(path: string, photoCount: number, flags: CaptureFlags, ctx: CliContext): string {
  const folder = relative(ctx.cwd, path) || path;
  const has = `${escapeName(folder)} has ${formatCount(photoCount, 'photo')}`;
  return `vehi: ended; ${has}; ${formatCommand(['capture', folder], flags)} goes on`;
}
