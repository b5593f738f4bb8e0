import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { readSettings, type Settings } from '../../config/settings.ts';
import type { Precision } from '../../domain/choices.ts';
import { toModelVersion } from '../../domain/sight/detection.ts';
import { createPricer } from '../../engine/pricer.ts';
import { defined } from '../../lib/defined.ts';
import { placeOfModule } from '../../lib/places.ts';
import type { ServerClock } from '../../server/clock.ts';
import { createPrograms } from '../../server/programs.ts';
import type { ServerSettings } from '../../server/server-settings.ts';
import { listInspectingModels, type Model } from '../../vision/models/manifest.ts';
import { loadManifest, shippedModelDir } from '../../vision/models/model-files.ts';
import { asUsage, loadSetTables } from '../backend/setting-faults.ts';
import type { CliContext } from '../terminal/context.ts';
import type { ServeFlags } from './serve-settings.ts';

/** Flags that say what the engine works with. */
export type EngineFlags = Pick<
  ServeFlags,
  'models' | 'threads' | 'regions' | 'region' | 'currency' | 'redact'
>;

/** What prices are in where a request names nothing else. */
export type PricedBy = Pick<ServerSettings, 'region' | 'currency'>;

/** Log lines are written together; the process that is killed loses those of this time. */
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

/** Returns whether pictures show number plates blurred: as the flag says, else the setting. */
export const redactsPlates = ({ redact }: Pick<EngineFlags, 'redact'>, settings: Pick<Settings, 'redact'>) =>
  (redact ?? settings.redact.value) === 'on';

/** Creates the engine and what goes with it, by the flags of a service. */
export async function openPrograms(
  flags: EngineFlags,
  settings: PricedBy,
  clock: ServerClock,
  ctx: CliContext,
) {
  const config = readSettings(flags, ctx);
  const regionsFile = config.regions.value ?? undefined;
  const modelDir = config.models.value ?? shippedModelDir();
  const tables = await loadSetTables(config);
  try {
    createPricer(tables, settings.region, settings.currency);
  } catch (error) {
    throw asUsage(error, config);
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

/** Returns what starts a process that opens photos with the same programs, for those that may end the process. */
export function createChildStarter(
  { models, threads, regions, region, currency, redact }: EngineFlags,
  settings: PricedBy,
  ctx: CliContext,
): () => ChildProcess {
  const file = placeOfModule('cli/work/photo-child');
  const order = {
    flags: { models, threads, regions, region, currency, redact },
    settings: { region: settings.region, currency: settings.currency },
  };
  return () =>
    fork(fileURLToPath(file), [JSON.stringify(order)], {
      cwd: ctx.cwd,
      env: { ...ctx.env },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
}

/** Opens the log of a process, as JSON on stderr; nothing secret gets into it. */
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
