import { type Settings, text } from '../../config/settings.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { InspectRequest } from '../../engine/request.ts';
import { createEngine, type Engine, type EngineOptions } from '../../index.ts';
import { VehiError } from '../../lib/errors.ts';
import type { Precision } from '../../vision/models/manifest.ts';
import type { CliContext, StopSignal } from '../terminal/context.ts';
import { inspectProgress } from '../terminal/progress.ts';

/** Inspects on this machine with a line of progress; the first Ctrl-C finishes the photos at hand. */
export async function inspectLocally(
  request: InspectRequest,
  settings: Settings,
  quiet: boolean,
  ctx: CliContext,
  now: () => Date,
): Promise<{ envelope: InspectionEnvelope; stopped: StopSignal | null }> {
  const progress = await inspectProgress(ctx, quiet);
  const stop = new AbortController();
  let stopped: StopSignal | null = null;
  const release = ctx.onStop((signal) => {
    stopped = signal;
    stop.abort();
    progress.note('stopping after the photos being inspected; press again to quit now');
    if (!quiet)
      ctx.stderr.write('\nvehi: stopping after the photos being inspected; press again to quit now\n');
  });
  try {
    const engine = await engineFor(settings, now);
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

/** The engine that the settings describe. @throws VehiError as `createEngine`. */
export function engineFor(
  settings: Settings,
  now: () => Date,
  models: EngineOptions['models'] = 'now',
): Promise<Engine> {
  const modelDir = text(settings.models);
  const regionsFile = text(settings.regions);
  return createEngine({
    now,
    models,
    defaults: { region: text(settings.region) ?? '', currency: text(settings.currency) ?? '' },
    ...(modelDir === null ? {} : { modelDir }),
    ...(settings.threads.value === null ? {} : { threads: Number(settings.threads.value) }),
    ...(settings.precision.value === null ? {} : { precision: settings.precision.value as Precision }),
    ...(regionsFile === null ? {} : { regionsFile }),
  });
}

/** Region and currency come from flags and settings here, so a wrong one is a slip of usage, not rejected input. */
export function asUsage(error: unknown): unknown {
  const ofSettings =
    error instanceof VehiError && ['INVALID_REGION', 'INVALID_CURRENCY'].includes(error.code);
  return ofSettings
    ? new VehiError('usage', error.code, error.message, error.hint ? { hint: error.hint } : {})
    : error;
}
