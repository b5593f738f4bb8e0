import { readSettings, type Settings } from '../../config/settings.ts';
import { toModelVersion } from '../../domain/sight/detection.ts';
import { createPricer } from '../../engine/pricer.ts';
import { defined } from '../../lib/objects.ts';
import type { ServerClock } from '../../server/clock.ts';
import { createPrograms } from '../../server/programs.ts';
import type { ServerSettings } from '../../server/server-settings.ts';
import { listInspectingModels } from '../../vision/models/manifest.ts';
import { loadManifest } from '../../vision/models/model-files.ts';
import { loadConfiguredTables, toUsageError } from '../backend/setting-faults.ts';
import type { CliContext } from '../terminal/context.ts';
import { findModelDir } from '../terminal/model-dir.ts';
import type { ServeFlags } from './serve-settings.ts';

/** Flags that configure the engine. */
export type EngineFlags = Pick<ServeFlags, 'models' | 'regions' | 'region' | 'currency' | 'redact'>;

/** Default region and currency of requests. */
export type PriceSettings = Pick<ServerSettings, 'region' | 'currency'>;

/** Returns true if number plates are blurred, from the flag or the setting. */
export const redactsPlates = ({ redact }: Pick<EngineFlags, 'redact'>, settings: Pick<Settings, 'redact'>) =>
  (redact ?? settings.redact.value) === 'on';

/** Creates the engine and its dependencies from the flags of a service. */
export async function openPrograms(
  flags: EngineFlags,
  settings: PriceSettings,
  clock: ServerClock,
  ctx: CliContext,
) {
  const config = readSettings(flags, ctx);
  const regionsFile = config.regions.value ?? undefined;
  const modelDir = findModelDir(config, ctx);
  const tables = await loadConfiguredTables(config);
  try {
    createPricer(tables, settings.region, settings.currency);
  } catch (error) {
    throw toUsageError(error, config);
  }
  const manifest = await loadManifest(modelDir);
  const { createEngine } = await import('../../index.ts');
  const engine = await createEngine({
    now: clock.now,
    modelDir,
    defaults: settings,
    models: 'when-needed',
    ...(config.threads.value === null ? {} : { threads: Number(config.threads.value) }),
    ...defined({ regionsFile }),
  });
  return createPrograms({
    redacts: redactsPlates(flags, config),
    engine,
    tables,
    currency: settings.currency,
    modelVersion: toModelVersion(listInspectingModels(manifest)),
  });
}
