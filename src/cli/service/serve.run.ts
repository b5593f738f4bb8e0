import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import { loadSettings, text } from '../../config/settings.ts';
import { modelVersionOf } from '../../domain/sight/detection.ts';
import { pricerOf } from '../../engine/pricer.ts';
import { VehiError } from '../../lib/errors.ts';
import { createApp, type ServiceApp } from '../../server/app.ts';
import { createClock, type ServerClock } from '../../server/clock.ts';
import { createMetricsServer } from '../../server/metrics-server.ts';
import { createPrograms } from '../../server/programs.ts';
import type { ServerSettings } from '../../server/settings.ts';
import { openServiceStore, type ServiceStore } from '../../storage/sqlite/service-store.ts';
import { openMemoryStore } from '../../storage/sqlite/store.ts';
import { inspectingModels, type Model, type Precision } from '../../vision/models/manifest.ts';
import { loadManifest, packagedModelDir } from '../../vision/models/model-files.ts';
import { asUsage, tablesOf } from '../backend/setting-faults.ts';
import type { CliContext } from '../terminal/context.ts';
import { write } from '../terminal/output.ts';
import { dataDirectory } from './data-directory.ts';
import { demoPhotos, sandboxKey } from './sandbox.ts';
import { checkFlags, type ServeFlags, serverSettings, timeOf, tlsOf } from './settings.ts';

/** Log lines are written together; the process that is killed loses those of this time. */
const LOG_FLUSH_MS = 250;
const LOG_BUFFER_BYTES = 8 * 1024;

/** Runs `vehi serve` until it is asked to stop; then finishes what runs. */
export async function runServe(flags: ServeFlags, ctx: CliContext): Promise<void> {
  checkFlags(flags);
  const clock = createClock({
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.now === undefined ? {} : { now: timeOf(flags.now) }),
  });
  const settings = serverSettings(flags, ctx);
  const programs = await programsOf(flags, settings, clock, ctx);
  const { store, narrowed, lost, unlock } = await openStore(flags, ctx);
  try {
    // A production service that cannot analyse must not start; the sandbox loads the models for its first inspection.
    if (!settings.sandbox) await programs.warmUp();
    const level = flags.logLevel ?? (settings.sandbox ? 'warn' : 'info');
    const lines = pino.destination({
      dest: 2,
      sync: false,
      minLength: LOG_BUFFER_BYTES,
      periodicFlush: LOG_FLUSH_MS,
    });
    const logger = pino({ level, redact: { paths: SECRETS, censor: '[redacted]' } }, lines);
    if (narrowed.length > 0)
      logger.warn({ files: narrowed }, 'others could read the database; only its owner can from now on');
    const app = await createApp({ programs, store, clock, settings, logger });
    const stop = nextStop(ctx);
    const metrics = flags.metricsPort === undefined ? undefined : createMetricsServer(app.readMetrics);
    const endReloads = onReload(() => readCertificate(app, flags, ctx, logger));
    try {
      const address = await listen(app, flags, settings);
      const metricsAddress = metrics && (await listenForMetrics(metrics, flags));
      const key = settings.sandbox ? await sandboxKey(store, clock) : undefined;
      const demo = settings.sandbox ? await demoPhotos(address) : undefined;
      await write(
        ctx.stdout,
        `${JSON.stringify({
          address,
          ...(metricsAddress === undefined ? {} : { metrics: metricsAddress }),
          ...(key === undefined ? {} : { api_key: key }),
          ...demo,
        })}\n`,
      );
      await warnOfOpenHost(flags, settings, ctx);
      const why = await Promise.race([stop, lost.then(() => 'lost' as const)]);
      if (why === 'lost') throw directoryLost(flags, ctx);
      await write(ctx.stderr, 'vehi: finishing what runs; once more to stop now\n');
    } finally {
      endReloads();
      await app.close();
      metrics?.close();
      metrics?.closeAllConnections();
      lines.flushSync();
    }
  } finally {
    await programs.close();
    await store.close();
    unlock();
  }
}

/** The store to serve from; its directory is this process's alone until `unlock`. */
async function openStore(flags: ServeFlags, ctx: CliContext): Promise<ServiceStore> {
  if (flags.ephemeral)
    return { store: openMemoryStore(), narrowed: [], lost: new Promise(() => {}), unlock: () => {} };
  return openServiceStore(dataDirectory(flags.data, ctx));
}

const directoryLost = (flags: ServeFlags, ctx: CliContext) =>
  new VehiError(
    'usage',
    'DATA_DIRECTORY_LOST',
    `${dataDirectory(flags.data, ctx)}: its serve.lock was removed, and another vehi serve took the directory`,
    { hint: 'Run one service per data directory, and leave serve.lock where it is.' },
  );

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

async function programsOf(flags: ServeFlags, settings: ServerSettings, clock: ServerClock, ctx: CliContext) {
  const config = loadSettings(
    {
      models: flags.models,
      threads: flags.threads,
      regions: flags.regions,
      region: flags.region,
      currency: flags.currency,
    },
    ctx.env,
    ctx.cwd,
  );
  const regionsFile = text(config.regions) ?? undefined;
  const modelDir = text(config.models) ?? packagedModelDir();
  const tables = await tablesOf(config);
  try {
    pricerOf(tables, settings.region, settings.currency);
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
    ...(regionsFile === undefined ? {} : { regionsFile }),
  });
  return createPrograms({
    modelDir,
    engine,
    tables,
    currency: settings.currency,
    modelVersion: modelVersionOf(inspectingModels<Model>(manifest)),
  });
}

async function listen(
  app: Awaited<ReturnType<typeof createApp>>,
  { host, port }: ServeFlags,
  settings: ServerSettings,
): Promise<string> {
  try {
    // Fastify does not know of the certificate, which `connections` serves.
    const named = (address: string) => (settings.tls ? address.replace(/^http:/, 'https:') : address);
    const listenTextResolver = (address: string) => `listening at ${named(address)}`;
    const address = await app.listen({ host, port, listenTextResolver });
    return settings.baseUrl ?? named(address);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (cause instanceof VehiError || code === undefined) throw cause;
    const why =
      code === 'EADDRINUSE'
        ? 'is in use'
        : code === 'EACCES'
          ? 'needs more rights'
          : `cannot be used (${message})`;
    throw new VehiError('usage', 'CANNOT_LISTEN', `${host}:${port} ${why}`, {
      hint: 'Choose another --port or --host.',
      cause,
    });
  }
}

/** Listens for readers of the metrics at the same host. @throws VehiError usage/CANNOT_LISTEN */
async function listenForMetrics(server: Server, { host, metricsPort }: ServeFlags): Promise<string> {
  try {
    server.listen(metricsPort, host);
    await once(server, 'listening');
  } catch (cause) {
    throw new VehiError(
      'usage',
      'CANNOT_LISTEN',
      `${host}:${metricsPort} cannot be used for metrics (${(cause as Error).message})`,
      { hint: 'Choose another --metrics-port.', cause },
    );
  }
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`;
}

/** Calls `handler` at every SIGHUP instead of ending. Returns the function that takes the handler away. */
function onReload(handler: () => void): () => void {
  process.on('SIGHUP', handler);
  return () => process.off('SIGHUP', handler);
}

/** Reads the certificate again; one that cannot be used is logged, and the old one stays. */
function readCertificate(app: ServiceApp, flags: ServeFlags, ctx: CliContext, log: Logger): void {
  try {
    const tls = tlsOf(flags, ctx);
    if (tls) app.connections.setCertificate(tls);
    log.info({ tls: tls !== undefined }, 'SIGHUP: the certificate was read again');
  } catch (error) {
    log.error({ err: error }, 'SIGHUP: the certificate cannot be used; the old one stays');
  }
}

async function warnOfOpenHost(
  { host, trustProxy }: ServeFlags,
  { tls }: ServerSettings,
  ctx: CliContext,
): Promise<void> {
  if (tls || trustProxy || /^(127\.|localhost$|::1$)/.test(host)) return;
  await write(
    ctx.stderr,
    `vehi: listening on ${host} without TLS: keys and photos can be read on the way. Use --tls-cert and --tls-key, or a proxy with TLS and --trust-proxy.\n`,
  );
}

function nextStop(ctx: CliContext): Promise<void> {
  return new Promise((done) => {
    ctx.onStop(() => done());
  });
}
