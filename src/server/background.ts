import { HOUR_MS, MINUTE_MS } from '../lib/durations.ts';
import { HEARTBEAT_INTERVAL_MS } from '../storage/ports.ts';
import { prepareStore, runHousekeeping, setUnknownFilesAside } from './housekeeping.ts';
import { isStorageFailure, makeStoppingError } from './http/api-error.ts';
import type { App } from './http/fastify-types.ts';
import type { Servers } from './http/servers.ts';
import { runVisualJob } from './jobs/run-visual-job.ts';
import type { Services } from './services.ts';

const HOUSEKEEPING_INTERVAL_MS = HOUR_MS;
/** Retry delay after a full disk or a lock held by another process. */
const HOUSEKEEPING_RETRY_MS = MINUTE_MS;

/** Runs the job queue, webhook delivery and housekeeping of a process. */
export function createBackground(services: Services) {
  const { queue, dispatcher, fetcher, quarantine, settings, store, self, log, metrics } = services;
  const timers: NodeJS.Timeout[] = [];
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;
  const runHousekeepingOnce = async (): Promise<void> => {
    try {
      if (await runHousekeeping(services)) metrics.housekeeping.setToCurrentTime();
    } catch (error) {
      if (!isStorageFailure(error)) return log.error({ err: error }, 'housekeeping failed');
      log.warn({ reason: (error as Error).message }, 'housekeeping is tried again');
      clearTimeout(retry);
      if (isStopped) return;
      retry = setTimeout(() => void runHousekeepingOnce(), HOUSEKEEPING_RETRY_MS).unref();
    }
  };
  return {
    async start() {
      const owners = await prepareStore(services);
      await queue.start((id, stopping) => runVisualJob(id, services, stopping));
      dispatcher.start();
      const runFirst = async () => {
        await runHousekeepingOnce();
        await setUnknownFilesAside(owners, services);
      };
      timers.push(
        setTimeout(
          () => void runFirst().catch((err: unknown) => log.error({ err }, 'housekeeping failed')),
          settings.housekeepingDelayMs,
        ),
        setInterval(() => void runHousekeepingOnce(), HOUSEKEEPING_INTERVAL_MS),
        setInterval(() => {
          store.processes.heartbeat(self).catch((err: unknown) => log.warn({ err }, 'heartbeat failed'));
        }, HEARTBEAT_INTERVAL_MS),
      );
      for (const timer of timers) timer.unref();
    },
    /** Stops all but the queue, which must be drained before. */
    async stop() {
      isStopped = true;
      for (const timer of [...timers, retry]) clearTimeout(timer);
      await quarantine?.close();
      await dispatcher.stop();
      await fetcher.close();
      // If the store is unreachable, the process counts as dead once its heartbeats stop.
      await store.processes.unregister(self.id).catch(() => undefined);
    },
  };
}

/** Starts the background jobs of an app and shuts it down gracefully: running requests finish, new ones are refused. */
export function registerLifecycle(app: App, services: Services, servers: Servers): () => boolean {
  const { queue, settings } = services;
  const background = createBackground(services);
  let isClosing = false;
  app.addHook('onReady', () => background.start());
  app.addHook('onRequest', async (request) => {
    if (isClosing && !request.routeOptions.config.whileClosing) throw makeStoppingError();
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    await queue.drain();
    // No more jobs are processed from here on, so incomplete requests must not delay the shutdown.
    servers.closeIdleConnections();
    setTimeout(() => servers.closeAllConnections(), settings.closeGraceMs).unref();
  });
  app.addHook('onClose', () => background.stop());
  return () => isClosing;
}
