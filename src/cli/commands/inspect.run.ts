import { loadSettings, type Settings, text } from '../../config/settings.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { VehiError } from '../../domain/errors.ts';
import type { InspectRequest, Sensitivity } from '../../engine/request.ts';
import { createEngine } from '../../index.ts';
import type { CliContext, StopSignal } from '../context.ts';
import { exitCodeFor } from '../exit-code.ts';
import { EXIT } from '../exit-codes.ts';
import { type Output, parseOutputs, printable, renderInspection } from '../inspection-output.ts';
import { clockOf } from '../now.ts';
import { write, writeFileWhole } from '../output.ts';
import { inspectProgress, tell } from '../progress.ts';
import type { InspectFlags } from './inspect.ts';

/** Runs `vehi inspect`: finds the photos, inspects them, writes what was asked for, sets the exit code. */
export async function runInspect(
  args: readonly string[],
  flags: InspectFlags,
  ctx: CliContext,
): Promise<void> {
  const settings = settingsOf(flags, ctx);
  const print = printable(flags.json ? 'json' : (text(settings.format) ?? 'table'));
  const outputs = parseOutputs(flags.output ?? []);
  const now = clockOf(flags.now, ctx);
  const { gatherPhotos } = await import('../../images/gather-photos.ts');
  const gathered = await gatherPhotos(args, {
    cwd: ctx.cwd,
    recursive: Boolean(flags.recursive),
    stdin: ctx.stdin as AsyncIterable<Uint8Array>,
  });
  for (const warning of gathered.warnings) await tell(ctx, `vehi: ${warning}`);
  const request: InspectRequest = {
    vehicleId: vehicleId(flags.vehicleId ?? gathered.vehicleId?.value),
    photos: gathered.photos,
    options: {
      detailed: Boolean(flags.detailed),
      hiddenDamage: Boolean(flags.hiddenDamage),
      region: text(settings.region) ?? '',
      currency: text(settings.currency) ?? '',
      sensitivity: text(settings.sensitivity) as Sensitivity,
      minConfidence: Number(settings.min_confidence.value),
    },
  };
  const rejectedBefore = gathered.problems.map(({ url, code, message, found, needed }) => ({
    url,
    code,
    message,
    found,
    needed,
  }));
  if (request.photos.length > MOST_PHOTOS) throw tooMany(request.photos.length);
  const { envelope, stopped } = await inspectWatched(request, settings, flags, ctx, now);
  envelope.data.rejected_images.unshift(...rejectedBefore);

  await tellRejected(envelope, ctx);
  const annotated = flags.annotated
    ? await writeAnnotated(envelope, gathered.photos, flags.annotated, ctx)
    : [];
  await writeOutputs(envelope, outputs, ctx);
  if (envelope.data.results || print === 'json') {
    await write(ctx.stdout, await renderInspection(envelope, print, viewOf(ctx, flags, settings)));
  } else {
    await tell(ctx, 'vehi: no photo is left to inspect.');
  }
  if (!flags.quiet && print === 'table') await tellWritten(outputs, annotated, flags, ctx);
  const failOn = text(settings.fail_on) as Parameters<typeof exitCodeFor>[1]['failOn'];
  const code = exitCodeFor(envelope.data, { failOn, strict: Boolean(flags.strict), stopped });
  if (code === EXIT.thresholdHit) await tell(ctx, `vehi: --fail-on ${failOn} was hit.`);
  if (code === EXIT.inputRejected && envelope.data.results) await tell(ctx, strictReason(envelope));
  ctx.setExitCode(code);
}

/** Photos of one inspection at most (contract, "Limits"). */
const MOST_PHOTOS = 50;

function tooMany(count: number): VehiError {
  return new VehiError(
    'input',
    'TOO_MANY_IMAGES',
    `${count} photos; one inspection takes at most ${MOST_PHOTOS}.`,
    {
      field: 'images',
      hint: 'Inspect one vehicle at a time, or leave out photos that show the same.',
    },
  );
}

function settingsOf(flags: InspectFlags, ctx: CliContext): Settings {
  return loadSettings(
    {
      region: flags.region,
      regions: flags.regions,
      currency: flags.currency,
      models: flags.models,
      threads: flags.threads,
      sensitivity: flags.sensitivity,
      min_confidence: flags.minConfidence,
      fail_on: flags.failOn,
      format: flags.format,
    },
    ctx.env,
    ctx.cwd,
  );
}

function vehicleId(given: string | undefined): string {
  const id = (given ?? 'vehicle').trim();
  if (id.length >= 1 && id.length <= 128) return id;
  throw new VehiError(
    'usage',
    'INVALID_REQUEST',
    `--vehicle-id has ${id.length} characters; 1 to 128 are needed.`,
    { field: 'vehicle_id' },
  );
}

/** Inspects with a line of progress; the first Ctrl-C finishes the photos at hand. */
async function inspectWatched(
  request: InspectRequest,
  settings: Settings,
  flags: InspectFlags,
  ctx: CliContext,
  now: () => Date,
): Promise<{ envelope: InspectionEnvelope; stopped: StopSignal | null }> {
  const progress = await inspectProgress(ctx, Boolean(flags.quiet));
  const stop = new AbortController();
  let stopped: StopSignal | null = null;
  const release = ctx.onStop((signal) => {
    stopped = signal;
    stop.abort();
    progress.note('stopping after this photo; press again to quit now');
    if (!flags.quiet)
      ctx.stderr.write('\nvehi: stopping after the photos at hand; press again to quit now\n');
  });
  try {
    const engine = await createEngine({
      now,
      ...(settings.models.value === null ? {} : { modelDir: String(settings.models.value) }),
      ...(settings.threads.value === null ? {} : { threads: Number(settings.threads.value) }),
      ...(settings.regions.value === null ? {} : { regionsFile: String(settings.regions.value) }),
    });
    try {
      const envelope = await engine.inspect(request, { onEvent: progress.onEvent, signal: stop.signal });
      return { envelope, stopped };
    } finally {
      await engine.close();
    }
  } catch (error) {
    throw asUsage(error);
  } finally {
    release();
    progress.stop();
  }
}

/** Region and currency come from flags and settings here, so a wrong one is a slip of usage, not rejected input. */
function asUsage(error: unknown): unknown {
  const ofSettings =
    error instanceof VehiError && ['INVALID_REGION', 'INVALID_CURRENCY'].includes(error.code);
  return ofSettings
    ? new VehiError('usage', error.code, error.message, error.hint ? { hint: error.hint } : {})
    : error;
}

async function tellRejected(envelope: InspectionEnvelope, ctx: CliContext): Promise<void> {
  for (const { url, message } of envelope.data.rejected_images) {
    await tell(ctx, `vehi: ${message.includes(url) ? message : `${url}: ${message}`}`);
  }
}

function strictReason({ data }: InspectionEnvelope): string {
  const rejected = data.rejected_images.length;
  return rejected > 0
    ? `vehi: --strict: ${rejected} photo${rejected === 1 ? ' was' : 's were'} rejected.`
    : `vehi: --strict: ${data.images.length} photos; at least 4 are needed.`;
}

function viewOf(ctx: CliContext, flags: InspectFlags, settings: Settings) {
  return {
    colour: ctx.colour.stdout,
    columns: ctx.stdout.isTTY ? (ctx.stdout.columns ?? 80) : 120,
    quiet: Boolean(flags.quiet),
    failOn: text(settings.fail_on) as 'none',
  };
}

/** Writes every photo that shows a damage or was analysed, with its boxes; the paths go into the result. */
async function writeAnnotated(
  envelope: InspectionEnvelope,
  photos: InspectRequest['photos'],
  folder: string,
  ctx: CliContext,
): Promise<readonly string[]> {
  const { annotateInspection } = await import('../annotated.ts');
  return annotateInspection(envelope, photos, folder, ctx.cwd);
}

async function writeOutputs(
  envelope: InspectionEnvelope,
  outputs: readonly Output[],
  ctx: CliContext,
): Promise<void> {
  for (const { kind, path } of outputs) {
    const view = { colour: 0, columns: 120, quiet: false, failOn: 'none' } as const;
    const content = await renderInspection(envelope, kind, view);
    if (path === '-') await write(ctx.stdout, content);
    else await writeFileWhole(path, content, ctx.cwd);
  }
}

async function tellWritten(
  outputs: readonly Output[],
  annotated: readonly string[],
  flags: InspectFlags,
  ctx: CliContext,
) {
  for (const { kind, path } of outputs) if (path !== '-') await tell(ctx, `${kind} written to ${path}`);
  if (annotated.length > 0)
    await tell(ctx, `${annotated.length} annotated photos written to ${flags.annotated}`);
}
