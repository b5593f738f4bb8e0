import { BEAT_MS } from '../storage/ports.ts';
import { prepareStore, runHousekeeping, setUnknownFilesAside } from './housekeeping.ts';
import { ApiError, isStorageTrouble } from './http/api-error.ts';
import type { App } from './http/app-type.ts';
import type { Services } from './services.ts';

const HOUSEKEEPING_MS = 3_600_000;
/** After a disk that was full, or a lock that another process held. */
const HOUSEKEEPING_RETRY_MS = 60_000;
/** When to come back to a service that is being stopped; a restart takes less. */
const RESTART_SECONDS = 5;

const closingDown = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'The service is being stopped; it finishes what runs.', {
    headers: { 'retry-after': String(RESTART_SECONDS) },
  });

/** Background work of a running app, and its end: what runs is finished, what comes is refused before it is looked at. */
export function registerLifecycle(app: App, services: Services): () => boolean {
  const { work, dispatcher, fetcher, settings, store, self, log, connections } = services;
  const timers: NodeJS.Timeout[] = [];
  let closing = false;
  const tidy = async (): Promise<void> => {
    try {
      await runHousekeeping(services);
    } catch (error) {
      if (!isStorageTrouble(error)) return log.error({ err: error }, 'housekeeping');
      log.warn({ reason: (error as Error).message }, 'housekeeping is tried again');
      timers.push(setTimeout(() => void tidy(), HOUSEKEEPING_RETRY_MS).unref());
    }
  };

  app.addHook('onReady', async () => {
    const owners = await prepareStore(services);
    await work.start();
    dispatcher.start();
    const first = async () => {
      await tidy();
      await setUnknownFilesAside(owners, services);
    };
    timers.push(
      setTimeout(
        () => void first().catch((err: unknown) => log.error({ err }, 'housekeeping')),
        settings.housekeepingDelayMs,
      ),
      setInterval(() => void tidy(), HOUSEKEEPING_MS),
      setInterval(() => {
        store.processes.beat(self).catch((err: unknown) => log.warn({ err }, 'beat'));
      }, BEAT_MS),
    );
    for (const timer of timers) timer.unref();
  });
  app.addHook('onRequest', async (request) => {
    if (closing && !request.routeOptions.config.whileClosing) throw closingDown();
  });
  app.addHook('preClose', async () => {
    closing = true;
    await work.drain();
    // From here on nobody gets more work done: what only half arrived must not hold up the end.
    connections.cut(false);
    setTimeout(() => connections.cut(true), settings.closeGraceMs).unref();
  });
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer);
    await dispatcher.stop();
    await fetcher.close();
    // Where the store is gone by now, the process counts as dead soon.
    await store.processes.end(self.id).catch(() => undefined);
  });
  return () => closing;
}
