import { readExplicit, type Settings } from '../../config/settings.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { InspectEvent, InspectRequest, SeenPhotos } from '../../engine/request.ts';
import { createEngine, type Engine, type EngineOptions } from '../../index.ts';
import { defined } from '../../lib/objects.ts';
import { type CliContext, listenForStop, PRESS_AGAIN, type StopSignal } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';
import { createInspectProgress } from '../terminal/progress.ts';
import { locateFilesFault, toUsageError } from './setting-faults.ts';

/** Inspects photos with the engine on this machine. */
export interface Inspector {
  /** @throws VehiError as the engine; kind `usage` for an unknown region or currency */
  inspect(request: InspectRequest): Promise<InspectionEnvelope>;
  /** Signal that stopped an inspection before all photos were done, or null. */
  stopped(): StopSignal | null;
  /** Releases models and threads; idempotent. */
  close(): Promise<void>;
}

const STOPPING = `stopping after the photos being inspected; ${PRESS_AGAIN}`;

/**
 * Creates an inspector that runs on this machine and shows progress. The first Ctrl-C finishes the photos in progress.
 * Model results are cached per photo, so a repeated inspection with other angles runs no model again.
 */
export function createLocalInspector(
  settings: Settings,
  quiet: boolean,
  ctx: CliContext,
  now: () => Date,
  onEvent: (event: InspectEvent) => void = () => undefined,
): Inspector {
  const seen: SeenPhotos = new Map();
  let engine: Engine | undefined;
  let stopped: StopSignal | null = null;
  return {
    async inspect(request) {
      const progress = await createInspectProgress(ctx, quiet);
      const stop = listenForStop(ctx, (signal) => {
        stopped = signal;
        progress.note(STOPPING);
        if (!quiet) void writeStatus(ctx, `\nvehi: ${STOPPING}`);
      });
      try {
        engine ??= await createLocalEngine(settings, now);
        const reportToBoth = (event: InspectEvent) => {
          progress.onEvent(event);
          onEvent(event);
        };
        const hooks = { onEvent: reportToBoth, signal: stop.signal, seen };
        return await engine.inspect(request, hooks);
      } catch (error) {
        throw toUsageError(error, settings);
      } finally {
        stop.remove();
        progress.stop();
      }
    },
    stopped: () => stopped,
    async close() {
      const openEngine = engine;
      engine = undefined;
      await openEngine?.close();
    },
  };
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
    throw locateFilesFault(error, settings);
  }
}
