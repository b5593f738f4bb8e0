import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { toUrlHost } from '../../lib/hosts.ts';
import { loadOptional } from '../../lib/missing-packages.ts';
import { defined } from '../../lib/objects.ts';
import type { ServerClock } from '../../server/clock.ts';
import { awaitListening } from '../../server/http/listening.ts';
import type { ServerSettings } from '../../server/server-settings.ts';
import type { AppParts } from '../../server/services.ts';
import type { ServiceStore } from '../../storage/sqlite/service-store.ts';
import { type CliContext, PRESS_AGAIN } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';
import { createChildStarter, openBackend } from './backend.ts';
import { readServerSettings, type ServeFlags } from './serve-settings.ts';
import { type SharedAddresses, warnOfPassword } from './shared-addresses.ts';

/** Parts from which a service process is created. */
export type ProcessParts = AppParts & Required<Pick<AppParts, 'logger'>>;

/** A process that serves requests or runs jobs, not started yet. */
interface ServiceProcess {
  /** Starts the process and prints how to reach it. */
  start(): Promise<void>;
  /** Finishes running work, and ends the process. */
  close(): Promise<void>;
}

/** A store; only a directory has files that were secured, and a lock. */
type OpenedStore = Pick<ServiceStore, 'store'> & Partial<ServiceStore>;

interface ServiceRun {
  readonly flags: ServeFlags;
  /** Shared database and files of several machines; undefined for a service on one machine. */
  readonly shared: SharedAddresses | undefined;
  readonly clock: ServerClock;
  openStore(): Promise<OpenedStore>;
  create(parts: ProcessParts): Promise<ServiceProcess>;
}

/** Opens the parts of a service process, runs it until the command is stopped, and closes everything. */
export async function runServiceProcess(
  { flags, shared, clock, openStore, create }: ServiceRun,
  ctx: CliContext,
): Promise<void> {
  const settings = readServerSettings(flags, ctx);
  await warnOfPassword(flags, ctx);
  const backend = await openBackend(flags, clock, ctx);
  let opened: OpenedStore | undefined;
  try {
    opened = await openStore();
    const { store, securedFiles = [] } = opened;
    const createQueue = shared && (await prepareQueue(shared));
    // A production service without working models must not start; the sandbox loads them for its first inspection.
    if (!settings.sandbox && flags.work) await backend.warmUp();
    const { logger, lines } = openLog(flags, settings);
    if (securedFiles.length > 0)
      logger.warn({ files: securedFiles }, 'others could read the database; only its owner can from now on');
    const startChild = createChildStarter(flags, ctx);
    const parts = { backend, store, clock, settings, logger, startChild, ...defined({ createQueue }) };
    await runUntilStopped(await create(parts), ctx).finally(() => lines.flushSync());
  } finally {
    await backend
      .close()
      .finally(() => opened?.store.close())
      .finally(() => opened?.unlock?.());
  }
}

/** Flush interval of the buffered log; a killed process loses the lines of one interval. */
const LOG_FLUSH_MS = 250;
const LOG_BUFFER_BYTES = 8 * 1024;

const SECRETS = [
  ...['req.headers.authorization', 'headers.authorization', 'authorization'],
  ...['api_key', 'secret', 'url'].flatMap((name) => [name, `*.${name}`]),
];

/** Opens the JSON log of a process on stderr; secrets are redacted. */
function openLog({ logLevel }: ServeFlags, { sandbox }: ServerSettings) {
  const lines = pino.destination({
    dest: 2,
    sync: false,
    minLength: LOG_BUFFER_BYTES,
    periodicFlush: LOG_FLUSH_MS,
  });
  const level = logLevel ?? (sandbox ? 'warn' : 'info');
  return { logger: pino({ level, redact: { paths: SECRETS, censor: '[redacted]' } }, lines), lines };
}

async function runUntilStopped(process: ServiceProcess, ctx: CliContext): Promise<void> {
  const stop = new Promise((resolve) => void ctx.onStop(resolve));
  try {
    await process.start();
    await stop;
    await writeStatus(ctx, `vehi: finishing the running jobs; ${PRESS_AGAIN}`);
  } finally {
    await process.close();
  }
}

/**
 * Listens for metrics requests on the same host, if the flags name a port for them.
 * @returns the address of the metrics
 * @throws VehiError usage/CANNOT_LISTEN
 */
export async function listenForMetrics(
  server: Server,
  { host, metricsPort }: Pick<ServeFlags, 'host' | 'metricsPort'>,
): Promise<string | undefined> {
  if (metricsPort === undefined) return undefined;
  const listening = once(server.listen(metricsPort, host), 'listening');
  await awaitListening(listening, host, metricsPort, '--metrics-port');
  const { port } = server.address() as AddressInfo;
  return `http://${toUrlHost(host)}:${port}/metrics`;
}

export function closeMetrics(server: Server): void {
  server.close();
  server.closeAllConnections();
}

/** Creates the tables of the shared queue, and returns the function that opens it. */
async function prepareQueue({ database }: SharedAddresses): Promise<NonNullable<AppParts['createQueue']>> {
  const { createSharedQueue, migrateQueue } = await loadOptional(
    'a PostgreSQL database',
    () => import('../../server/work/shared-queue.ts'),
  );
  await migrateQueue(database);
  return (parts) => createSharedQueue(parts, database);
}
