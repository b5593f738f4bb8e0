import { resolve } from 'node:path';
import { loadTablesWith } from '../config/regions-file.ts';
import { findOrigin, readExplicit, type Settings } from '../config/settings.ts';
import { createPricer } from '../engine/pricer.ts';
import type { InspectRequest } from '../engine/request.ts';
import { createEngine, type Engine, type EngineOptions, shippedModelDir } from '../index.ts';
import { VehiError } from '../lib/errors.ts';
import { defined } from '../lib/objects.ts';
import type { Tables } from '../pricing/tables/load.ts';
import type { Run } from './outputs/run.ts';
import { type CliContext, listenForStop, PRESS_AGAIN } from './terminal/context.ts';
import { writeStatus } from './terminal/output.ts';
import { createInspectProgress } from './terminal/progress.ts';

/**
 * Inspects photos with the engine on this machine, showing progress. The first Ctrl-C finishes the photos in progress.
 * @returns the result, and the signal that stopped it before all photos were done
 * @throws VehiError as the engine
 */
export async function inspectLocally(request: InspectRequest, run: Run<{ readonly quiet?: boolean }>) {
  const { ctx, flags } = run;
  const progress = await createInspectProgress(ctx, flags.quiet);
  const stop = listenForStop(
    ctx,
    () => void writeStatus(ctx, `\nvehi: stopping after the photos being inspected; ${PRESS_AGAIN}`),
  );
  let engine: Engine | undefined;
  try {
    engine = await createLocalEngine(run);
    const found = await engine.inspect(request, { onEvent: progress.onEvent, signal: stop.signal });
    return { found, stopped: stop.stopped() };
  } finally {
    stop.remove();
    progress.stop();
    await engine?.close();
  }
}

/** Returns the model folder: `--models`, VEHI_MODEL_DIR, a settings file, otherwise the bundled one. */
export const findModelDir = ({ models }: Pick<Settings, 'models'>, ctx: Pick<CliContext, 'cwd'>): string =>
  resolve(ctx.cwd, models.value ?? shippedModelDir());

/** Creates the engine of the settings; one that only prices has nothing to close. @throws VehiError as `createEngine` */
export async function createLocalEngine(
  { settings, now, ctx }: Pick<Run, 'settings' | 'now' | 'ctx'>,
  models: EngineOptions['models'] = 'now',
): Promise<Engine> {
  const created = createEngine({
    now,
    models,
    modelDir: findModelDir(settings, ctx),
    defaults: { region: settings.region.value, currency: readExplicit(settings.currency) },
    ...defined({
      threads: settings.threads.value ?? undefined,
      regionsFile: settings.regions.value ?? undefined,
    }),
  });
  const engine = await locateFaults(created, settings);
  return { ...engine, load: () => locateFaults(engine.load(), settings) };
}

/**
 * Loads the price tables with the regions file of the settings.
 * @throws VehiError usage REGIONS_UNREADABLE or INVALID_TABLE, with the file and the origin of the setting
 */
export const loadConfiguredTables = (settings: Pick<Settings, 'regions'>): Promise<Tables> =>
  locateFaults(loadTablesWith(settings.regions.value ?? undefined), settings);

/** Loads the price tables, and checks region and currency before any work. @throws VehiError usage */
export async function checkPrices(settings: Pick<Settings, 'regions' | 'region' | 'currency'>) {
  const tables = await loadConfiguredTables(settings);
  const price = async () => createPricer(tables, settings.region.value, readExplicit(settings.currency));
  const { region, currency } = await locateFaults(price(), settings);
  return { tables, region, currency };
}

/** The setting responsible for an engine error, by error code. */
const SETTING_OF_CODE: Readonly<Record<string, 'region' | 'currency' | 'regions'>> = {
  INVALID_REGION: 'region',
  INVALID_CURRENCY: 'currency',
  REGIONS_UNREADABLE: 'regions',
  INVALID_TABLE: 'regions',
};

type BlamedSettings = Partial<Pick<Settings, 'region' | 'currency' | 'regions' | 'models'>>;

/** Adds the origin of a setting to an error about its value or file; omitted for a flag, which the user has just typed. */
function locateFaults<T>(work: Promise<T>, settings: BlamedSettings): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof VehiError)) throw error;
    const { kind, code, message, hint, details, field } = error;
    const name = SETTING_OF_CODE[code] ?? (kind === 'engine' ? 'models' : undefined);
    const setting = name && settings[name];
    if (setting === undefined) throw error;
    const origin = findOrigin(setting, '');
    const located = origin === '' ? message : `${origin}: ${message}`;
    // The engine reports region, currency and table as input; here they are flags or settings.
    const blamed = kind === 'engine' ? kind : 'usage';
    throw new VehiError(blamed, code, located, { hint, details, field, cause: error });
  });
}
