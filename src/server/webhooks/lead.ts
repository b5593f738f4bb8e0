import type { FastifyBaseLogger } from 'fastify';
import type { LeaseStore } from '../../storage/ports.ts';
import type { Dispatcher } from './dispatcher.ts';

const LEASE = 'webhooks';
/** How often a process asks for the lease, and how long it lasts: another takes over from one that died. */
const ASK_MS = 5_000;
const LEASE_MS = 15_000;

/**
 * Lets one process at a time send the messages of all, so that each receiver gets its attempts one after the other and
 * as few at once as from one process. Which process sends changes when the one that did has stopped or died.
 */
export function leadByTurns(
  dispatcher: Dispatcher,
  { leases, holder, log }: { leases: LeaseStore; holder: string; log: FastifyBaseLogger },
): Dispatcher {
  let timer: NodeJS.Timeout | undefined;
  let leading = false;
  let ended = false;

  async function ask(): Promise<void> {
    const leads = await leases.take(LEASE, holder, LEASE_MS).catch((err: unknown) => {
      log.warn({ err }, 'lease of the webhooks');
      return false;
    });
    if (ended || leads === leading) return;
    leading = leads;
    if (leads) dispatcher.start();
    else await dispatcher.stop();
  }

  return {
    wake() {
      if (leading) dispatcher.wake();
    },
    start() {
      ended = false;
      void ask();
      timer = setInterval(() => void ask(), ASK_MS).unref();
    },
    async stop() {
      ended = true;
      clearInterval(timer);
      await dispatcher.stop();
      if (leading) await leases.release(LEASE, holder).catch(() => undefined);
      leading = false;
    },
  };
}
