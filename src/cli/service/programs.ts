import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { readSettings, type Settings } from '../../config/settings.ts';
import { type Precision, toModelVersion } from '../../domain/sight/detection.ts';
import { createPricer } from '../../engine/pricer.ts';
import { defined } from '../../lib/defined.ts';
import { resolveModuleEntry } from '../../lib/package-paths.ts';
import type { ServerClock } from '../../server/clock.ts';
import { createPrograms } from '../../server/programs.ts';
import type { ServerSettings } from '../../server/server-settings.ts';
import { listInspectingModels, type Model } from '../../vision/models/manifest.ts';
import { loadManifest } from '../../vision/models/model-files.ts';
import { loadConfiguredTables, toUsageError } from '../backend/setting-faults.ts';
import type { CliContext } from '../terminal/context.ts';
import { findModelDir } from '../terminal/model-dir.ts';
import type { ServeFlags } from './serve-settings.ts';

/** Flags that configure the engine. */
export type EngineFlags = Pick<
  ServeFlags,
  'models' | 'threads' | 'regions' | 'region' | 'currency' | 'redact'
>;

/** Default region and currency of requests. */
export type PriceSettings = Pick<ServerSettings, 'region' | 'currency'>;

/** Log lines are buffered; a killed process loses those of this interval. */
const LOG_FLUSH_MS = 250;
const LOG_BUFFER_BYTES = 8 * 1024;

const SECRETS = [
  'req.headers.authorization',
  'headers.authorization',
  'authorization',
  'api_key',
  '*.api_key',
  'secret',
  '*.secret',
  'url',
  '*.url',
];

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
    ...(config.precision.value === null ? {} : { precision: config.precision.value as Precision }),
    ...defined({ regionsFile }),
  });
  return createPrograms({
    modelDir,
    redacts: redactsPlates(flags, config),
    engine,
    tables,
    currency: settings.currency,
    modelVersion: toModelVersion(listInspectingModels<Model>(manifest)),
  });
}

/** Returns a function that starts a child process with the same configuration, for photos that may crash it. */
export function createChildStarter(
  { models, threads, regions, region, currency, redact }: EngineFlags,
  settings: PriceSettings,
  ctx: CliContext,
): () => ChildProcess {
  const file = resolveModuleEntry('cli/work/photo-child');
  const configuration = {
    flags: { models, threads, regions, region, currency, redact },
    settings: { region: settings.region, currency: settings.currency },
  };
  return () =>
    fork(fileURLToPath(file), [JSON.stringify(configuration)], {
      cwd: ctx.cwd,
      env: { ...ctx.env },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
}

/** Opens the JSON log of a process on stderr; secrets are redacted. */
export function openLog(
  flags: { readonly logLevel?: string },
  settings: Pick<ServerSettings, 'sandbox'>,
): { logger: Logger; lines: { flushSync(): void } } {
  const level = flags.logLevel ?? (settings.sandbox ? 'warn' : 'info');
  const lines = pino.destination({
    dest: 2,
    sync: false,
    minLength: LOG_BUFFER_BYTES,
    periodicFlush: LOG_FLUSH_MS,
  });
  return { logger: pino({ level, redact: { paths: SECRETS, censor: '[redacted]' } }, lines), lines };
}
