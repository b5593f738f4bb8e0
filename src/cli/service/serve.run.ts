import type { Logger } from 'pino';
import { findDataDirectory, readSettings } from '../../config/settings.ts';
import { makeUsageError } from '../../lib/errors.ts';
import { isLoopback } from '../../lib/hosts.ts';
import { defined } from '../../lib/objects.ts';
import { createApp, type ServiceApp } from '../../server/app.ts';
import { createClock } from '../../server/clock.ts';
import { awaitListening } from '../../server/http/listening.ts';
import { createMetricsServer } from '../../server/metrics-server.ts';
import type { ServerSettings } from '../../server/server-settings.ts';
import { openServiceStore } from '../../storage/sqlite/service-store.ts';
import { openTemporaryStore } from '../../storage/sqlite/store.ts';
import { parseNow } from '../terminal/clock.ts';
import type { CliContext } from '../terminal/context.ts';
import { write, writeStatus } from '../terminal/output.ts';
import { createSandboxKey, listDemoPhotos } from './sandbox.ts';
import { checkFlags, readTls, type ServeFlags } from './serve-settings.ts';
import { closeMetrics, listenForMetrics, type ProcessParts, runServiceProcess } from './service-process.ts';
import { readSharedAddresses, type SharedAddresses } from './shared-addresses.ts';
import { openSharedStore } from './store.ts';

/** Runs `vehi serve` until it is stopped, then finishes the running jobs. */
export async function runServe(flags: ServeFlags, ctx: CliContext): Promise<void> {
  checkFlags(flags);
  const now = flags.now === undefined ? undefined : parseNow(flags.now);
  const clock = createClock(defined({ seed: flags.seed, now }));
  const shared = readSharedAddresses(flags, ctx);
  if (!shared) rejectDelegation(flags);
  await runServiceProcess(
    {
      flags,
      shared,
      clock,
      openStore: () => openServeStore(flags, shared, ctx),
      create: (parts) => createServeProcess(parts, flags, ctx),
    },
    ctx,
  );
}

/** @throws VehiError usage for tasks that a service with its own data directory cannot delegate */
function rejectDelegation({ work, webhooks }: ServeFlags): void {
  if (work && webhooks) return;
  const [flag, what] = work ? ['--no-webhooks', 'the events'] : ['--no-work', 'the work'];
  const message = `${flag} leaves ${what} to vehi work on other machines.`;
  throw makeUsageError(message, 'Give --database and --objects, which they share with this one.');
}

/** Database connections per process of a shared database. */
const CONNECTIONS = 10;

/** Opens the store to serve; this process holds its directory exclusively until `unlock`. */
async function openServeStore(flags: ServeFlags, shared: SharedAddresses | undefined, ctx: CliContext) {
  if (!shared && !flags.ephemeral) return openServiceStore(findDataDirectory(readSettings(flags, ctx), ctx));
  return { store: shared ? await openSharedStore(shared, CONNECTIONS, ctx) : openTemporaryStore() };
}

async function createServeProcess(parts: ProcessParts, flags: ServeFlags, ctx: CliContext) {
  const { settings, store, clock, logger } = parts;
  const app = await createApp(parts);
  const metrics = createMetricsServer(app.readMetrics);
  const reload = () => readCertificate(app, flags, ctx, logger);
  return {
    async start() {
      process.on('SIGHUP', reload);
      const address = await listen(app, flags);
      const start = { address, metrics: await listenForMetrics(metrics, flags) };
      const sandbox = settings.sandbox && {
        api_key: await createSandboxKey(store, clock),
        demo_photos: await listDemoPhotos(address),
      };
      const isForPerson = Boolean(ctx.stdout.isTTY) && !flags.json;
      await write(ctx.stdout, formatStart({ ...start, ...sandbox }, isForPerson));
      await warnOfOpenHost(flags, settings, ctx);
    },
    async close() {
      process.off('SIGHUP', reload);
      await app.close();
      closeMetrics(metrics);
    },
  };
}

async function listen(app: ServiceApp, { host, port }: ServeFlags): Promise<string> {
  const listenTextResolver = (address: string) => `listening at ${address}`;
  await awaitListening(app.listen({ host, port, listenTextResolver }), host, port);
  return app.getAddress();
}

/** Formats the startup message: for a person the page's address and the sign-in key, for programs one line of JSON. */
export function formatStart(
  start: { readonly address: string; readonly api_key?: string | undefined },
  isForPerson: boolean,
): string {
  if (!isForPerson) return `${JSON.stringify(start)}\n`;
  const key = start.api_key ?? 'as shown when it was created; another: vehi admin keys create';
  return `Open  ${start.address}/app/\nKey   ${key}\n`;
}

/** Reloads the certificate; an invalid one is logged, and the old one stays in use. */
function readCertificate(
  app: ServiceApp,
  flags: ServeFlags,
  ctx: CliContext,
  log: Pick<Logger, 'info' | 'error'>,
): void {
  try {
    const tls = readTls(flags, ctx);
    if (tls) app.setCertificate(tls);
    log.info(`SIGHUP: ${tls ? 'the certificate was read again' : 'there is no certificate to read again'}`);
  } catch (error) {
    log.error({ err: error }, 'SIGHUP: the certificate cannot be used; the old one stays');
  }
}

async function warnOfOpenHost({ host, trustProxy }: ServeFlags, { tls }: ServerSettings, ctx: CliContext) {
  if (tls || trustProxy || isLoopback(host)) return;
  await writeStatus(
    ctx,
    `vehi: listening on ${host} without TLS: keys and photos can be read on the way. Use --tls-cert and --tls-key, or a proxy with TLS and --trust-proxy.`,
  );
}
