import { readExplicit, type Settings } from '../../config/settings.ts';
import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { AssessCall } from '../../engine/engine.ts';
import type { InspectRequest } from '../../engine/request.ts';
import { createEngine, type Engine, type EngineOptions } from '../../index.ts';
import { defined } from '../../lib/objects.ts';
import { type CliContext, listenForStop, PRESS_AGAIN, type StopSignal } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';
import { createInspectProgress } from '../terminal/progress.ts';
import { locateFault } from './setting-faults.ts';

const STOPPING = `stopping after the photos being inspected; ${PRESS_AGAIN}`;

/**
 * Inspects photos with the engine on this machine, and shows progress. The first Ctrl-C finishes the photos in progress.
 * @returns the result, and the signal that stopped it before all photos were done
 * @throws VehiError as the engine
 */
export async function inspectLocally(
  request: InspectRequest,
  {
    settings,
    quiet,
    now,
  }: { readonly settings: Settings; readonly quiet: boolean; readonly now: () => Date },
  ctx: CliContext,
): Promise<{ readonly found: InspectionEnvelope; readonly stopped: StopSignal | null }> {
  const progress = await createInspectProgress(ctx, quiet);
  const stop = listenForStop(ctx, () => {
    progress.note(STOPPING);
    if (!quiet) void writeStatus(ctx, `\nvehi: ${STOPPING}`);
  });
  let engine: Engine | undefined;
  try {
    engine = await createLocalEngine(settings, now);
    const found = await engine.inspect(request, { onEvent: progress.onEvent, signal: stop.signal });
    return { found, stopped: stop.stopped() };
  } finally {
    stop.remove();
    progress.stop();
    await engine?.close();
  }
}

/** Prices a request with the tables of the settings. @throws VehiError for an invalid request */
export async function assessLocally(
  request: unknown,
  settings: Settings,
  now: () => Date,
  call: AssessCall = {},
): Promise<AssessmentEnvelope> {
  const engine = await createLocalEngine(settings, now, 'when-needed');
  try {
    return engine.assess(request, call);
  } finally {
    await engine.close();
  }
}

/** Creates the engine configured by the settings. @throws VehiError as `createEngine` */
export async function createLocalEngine(
  settings: Settings,
  now: () => Date,
  models: EngineOptions['models'] = 'now',
): Promise<Engine> {
  const { models: modelDir, regions, threads } = settings;
  try {
    return await createEngine({
      now,
      models,
      defaults: { region: settings.region.value, currency: readExplicit(settings.currency) },
      ...defined({
        modelDir: modelDir.value ?? undefined,
        threads: threads.value ?? undefined,
        regionsFile: regions.value ?? undefined,
      }),
    });
  } catch (error) {
    throw locateFault(error, settings);
  }
}
