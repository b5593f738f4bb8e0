import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { findDataDirectory } from '../../config/settings.ts';
import { VehiError } from '../../lib/errors.ts';
import { isLoopback } from '../../lib/loopback.ts';
import { defined } from '../../lib/objects.ts';
import { loadOptional } from '../../lib/package.ts';
import { createApp, type ServiceApp } from '../../server/app.ts';
import { createClock } from '../../server/clock.ts';
import { createMetricsServer } from '../../server/metrics-server.ts';
import type { ServerSettings } from '../../server/server-settings.ts';
import type { QueueParts, WorkQueue } from '../../server/work/port.ts';
import { openServiceStore, type ServiceStore } from '../../storage/sqlite/service-store.ts';
import { openTemporaryStore } from '../../storage/sqlite/store.ts';
import { type CliContext, PRESS_AGAIN } from '../terminal/context.ts';
import { readTime } from '../terminal/now.ts';
import { write, writeStatus } from '../terminal/output.ts';
import { makeOptionError } from '../terminal/usage-errors.ts';
import { describeStart, formatStart } from './announce.ts';
import { createChildStarter } from './child-starter.ts';
import { openLog } from './log.ts';
import { openPrograms } from './programs.ts';
import { createSandboxKey, listDemoPhotos } from './sandbox.ts';
import { checkFlags, readServerSettings, readTls, type ServeFlags } from './serve-settings.ts';
import { readSharedAddresses, type SharedAddresses, warnOfPassword } from './shared-addresses.ts';
import { openSharedStore } from './shared-store.ts';

/** Runs `vehi serve` until it is stopped, then finishes the running jobs. */
export async function runServe(flags: ServeFlags, ctx: CliContext): Promise<void> {
  checkFlags(flags);
  const clock = createClock({
    ...defined({ seed: flags.seed }),
    ...(flags.now === undefined ? {} : { now: readTime(flags.now) }),
  });
  const settings = readServerSettings(flags, ctx);
  const programs = await openPrograms(flags, clock, ctx);
  const shared = readSharedAddresses(flags, ctx);
  if (!shared) rejectDelegation(flags);
  await warnOfPassword(flags, ctx);
  const { store, securedFiles, unlock } = await openStore(flags, shared, ctx);
  try {
    const createQueue = shared && (await openQueue(shared));
    // A production service without working models must not start; the sandbox loads them for its first inspection.
    if (!settings.sandbox && flags.work) await programs.warmUp();
    const { logger, lines } = openLog(flags, settings);
    if (securedFiles.length > 0)
      logger.warn({ files: securedFiles }, 'others could read the database; only its owner can from now on');
    const app = await createApp({
      programs,
      store,
      clock,
      settings,
      logger,
      startChild: createChildStarter(flags, ctx),
      ...defined({ createQueue }),
    });
    const stop = waitForStop(ctx);
    const metrics = flags.metricsPort === undefined ? undefined : createMetricsServer(app.readMetrics);
    const endReloads = onReload(() => readCertificate(app, flags, ctx, logger));
    try {
      const address = await listen(app, flags);
      const metricsAddress = metrics && (await listenForMetrics(metrics, flags));
      const key = settings.sandbox ? await createSandboxKey(store, clock) : undefined;
      const demo = settings.sandbox ? await listDemoPhotos(address) : undefined;
      const start = { address, metrics: metricsAddress, api_key: key, ...demo };
      const isForPerson = ctx.stdout.isTTY && !flags.json;
      await write(ctx.stdout, isForPerson ? describeStart(start) : formatStart(start));
      await warnOfOpenHost(flags, settings, ctx);
      await stop;
      await writeStatus(ctx, `vehi: finishing the running jobs; ${PRESS_AGAIN}`);
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

/** Database connections per process of a shared database. */
const CONNECTIONS = 10;

/** Makes the tables of the shared queue, and returns the function that opens it. */
export async function openQueue({
  database,
}: Pick<SharedAddresses, 'database'>): Promise<(parts: QueueParts) => WorkQueue> {
  const { createSharedQueue, migrateQueue } = await loadOptional(
    () => import('../../server/work/shared-queue.ts'),
  );
  await migrateQueue(database);
  return (parts) => createSharedQueue(parts, database);
}

/** @throws VehiError usage/INVALID_OPTION for a role that a service with its own data directory cannot delegate */
function rejectDelegation({ work, webhooks }: ServeFlags): void {
  const flag = work ? (webhooks ? undefined : '--no-webhooks') : '--no-work';
  if (flag === undefined) return;
  const what = flag === '--no-work' ? 'the work' : 'the events';
  throw makeOptionError(
    `${flag} leaves ${what} to vehi work on other machines.`,
    'Give --database and --objects, which they share with this one.',
  );
}

/** Opens the store to serve; this process holds its directory exclusively until `unlock`. */
async function openStore(
  flags: ServeFlags,
  shared: SharedAddresses | undefined,
  ctx: CliContext,
): Promise<ServiceStore> {
  if (shared) {
    const store = await openSharedStore(shared, CONNECTIONS, ctx);
    return { store, securedFiles: [], unlock: () => {} };
  }
  if (flags.ephemeral) return { store: openTemporaryStore(), securedFiles: [], unlock: () => {} };
  return openServiceStore(findDataDirectory(flags.data, ctx));
}

async function listen(app: ServiceApp, { host, port }: ServeFlags): Promise<string> {
  try {
    const listenTextResolver = (address: string) => `listening at ${address}`;
    await app.listen({ host, port, listenTextResolver });
    return app.getAddress();
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

/** Listens for metrics requests on the same host. @throws VehiError usage/CANNOT_LISTEN */
export async function listenForMetrics(
  server: Server,
  { host, metricsPort }: Pick<ServeFlags, 'host' | 'metricsPort'>,
): Promise<string> {
  try {
    server.listen(metricsPort, host);
    await once(server, 'listening');
  } catch (cause) {
    throw new VehiError(
      'usage',
      'CANNOT_LISTEN',
      `${host}:${metricsPort} cannot be used for metrics (${(cause as Error).message}).`,
      { hint: 'Choose another --metrics-port.', cause },
    );
  }
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`;
}

/** Calls `handler` on every SIGHUP instead of exiting. Returns a function that removes the handler. */
function onReload(handler: () => void): () => void {
  process.on('SIGHUP', handler);
  return () => process.off('SIGHUP', handler);
}

/** Reloads the certificate; an invalid one is logged, and the old one stays in use. */
function readCertificate(app: ServiceApp, flags: ServeFlags, ctx: CliContext, log: Logger): void {
  try {
    const tls = readTls(flags, ctx);
    if (tls) app.setCertificate(tls);
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
  if (tls || trustProxy || isLoopback(host)) return;
  await writeStatus(
    ctx,
    `vehi: listening on ${host} without TLS: keys and photos can be read on the way. Use --tls-cert and --tls-key, or a proxy with TLS and --trust-proxy.`,
  );
}

/** Waits for the stop signal of the service. */
export function waitForStop(ctx: CliContext): Promise<void> {
  return new Promise((done) => {
    ctx.onStop(() => done());
  });
}
