import { BEAT_MS } from '../storage/ports.ts';
import { prepareStore, runHousekeeping, setUnknownFilesAside } from './housekeeping.ts';
import { isStorageTrouble } from './http/api-error.ts';
import type { Services } from './services.ts';

const HOUSEKEEPING_MS = 3_600_000;
/** After a disk that was full, or a lock that another process held. */
const HOUSEKEEPING_RETRY_MS = 60_000;

/** Background work of a process. */
interface Background {
  start(): Promise<void>;
  /** Ends it, once the work that runs is done. */
  stop(): Promise<void>;
}

/** Takes up work, sends webhooks, and keeps the store tidy. */
export function createBackground(services: Services): Background {
  const { work, dispatcher, claims, fetcher, quarantine, settings, store, self, log, metrics } = services;
  const timers: NodeJS.Timeout[] = [];
  const tidy = async (): Promise<void> => {
    try {
      if (await runHousekeeping(services)) metrics.housekeeping.setToCurrentTime();
    } catch (error) {
      if (!isStorageTrouble(error)) return log.error({ err: error }, 'housekeeping');
      log.warn({ reason: (error as Error).message }, 'housekeeping is tried again');
      timers.push(setTimeout(() => void tidy(), HOUSEKEEPING_RETRY_MS).unref());
    }
  };
  return {
    async start() {
      const owners = await prepareStore(services);
      await work.start();
      dispatcher.start();
      claims.start();
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
    },
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      claims.stop();
      await quarantine?.close();
      await dispatcher.stop();
      await fetcher.close();
      // Where the store is gone by now, the process counts as dead soon.
      await store.processes.end(self.id).catch(() => undefined);
    },
  };
}
