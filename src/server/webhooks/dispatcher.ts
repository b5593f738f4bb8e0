import type { FastifyBaseLogger } from 'fastify';
import type { DueMessage, Store } from '../../storage/ports.ts';
import type { ServerClock } from '../clock.ts';
import type { ServerSettings } from '../server-settings.ts';
import { type Dispatcher, PER_ACCOUNT_MAX, PER_ENDPOINT_MAX, STORE_PAUSE_MS } from './port.ts';
import type { Send } from './sender.ts';

const IN_FLIGHT_MAX = 128;
/** Messages read ahead per endpoint, so that the store is asked once for many deliveries. */
const READ_AHEAD = 32;
/** The store is asked no more often, however many deliveries end. */
const PUMP_MS = 50;
/**
 * So many deliveries start at once, and the next after a pause: a backlog for a receiver that answers at once would
 * keep the event loop from the requests.
 */
const STARTS_MAX = 8;
const STARTS_PAUSE_MS = 25;
/** Another process (the command line) may have stored a message. */
const POLL_MS = 2_000;

/**
 * Creates the dispatcher of a store that one process has for itself: at-least-once, bounded in all and per endpoint.
 */
export function createDispatcher(options: {
  store: Store;
  clock: ServerClock;
  settings: Pick<ServerSettings, 'environment'>;
  send: Send;
  log: FastifyBaseLogger;
}): Dispatcher {
  const { store, clock, settings, log } = options;
  const inFlight = new Map<string, { message: DueMessage; done: Promise<void> }>();
  /** Messages read ahead, by endpoint. */
  const ahead = new Map<string, DueMessage[]>();
  let timer: NodeJS.Timeout | undefined;
  let startsPause: NodeJS.Timeout | undefined;
  let pumping = false;
  let again = false;
  let stopped = true;
  let pumpedMs = Number.NEGATIVE_INFINITY;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;

  async function deliver({ id }: DueMessage): Promise<void> {
    const message = await store.webhooks.getMessage(id);
    const endpoint = message && (await store.webhooks.getEndpoint(message.endpointId));
    // Removed, disabled or delivered since it was read ahead.
    if (!endpoint || message.status !== 'pending' || endpoint.status !== 'enabled') return;
    await options.send(endpoint, message);
  }

  function start(message: DueMessage): void {
    const done = deliver(message)
      .catch((error: unknown) => {
        log.error({ err: error, message: message.id }, 'webhook delivery');
        pausedUntilMs = performance.now() + STORE_PAUSE_MS;
      })
      .finally(() => {
        inFlight.delete(message.id);
        startWaiting();
        if (!ahead.has(message.endpointId)) wake();
      });
    inFlight.set(message.id, { message, done });
  }

  function hasRoom({ endpointId, accountId }: DueMessage): boolean {
    if (inFlight.size >= IN_FLIGHT_MAX) return false;
    const all = [...inFlight.values()].map(({ message }) => message);
    return (
      all.filter((one) => one.endpointId === endpointId).length < PER_ENDPOINT_MAX &&
      all.filter((one) => one.accountId === accountId).length < PER_ACCOUNT_MAX
    );
  }

  /** Starts what there is room for, endpoint by endpoint in turns. */
  function startWaiting(): void {
    if (stopped || startsPause !== undefined || performance.now() < pausedUntilMs) return;
    let left = STARTS_MAX;
    for (let started = true; started && left > 0; ) {
      started = false;
      for (const [endpointId, messages] of [...ahead]) {
        const [first] = messages;
        if (left === 0 || !first || !hasRoom(first)) continue;
        left--;
        messages.shift();
        ahead.delete(endpointId);
        if (messages.length > 0) ahead.set(endpointId, messages);
        start(first);
        started = true;
      }
    }
    if (left === STARTS_MAX) return;
    startsPause = setTimeout(() => {
      startsPause = undefined;
      startWaiting();
    }, STARTS_PAUSE_MS).unref();
  }

  async function pump(): Promise<void> {
    const nowMs = clock.wallMs();
    pumpedMs = performance.now();
    // As many more as are in flight, since those are still `pending` in the store.
    const { messages, nextAtMs } = await store.webhooks.due(
      settings.environment,
      nowMs,
      READ_AHEAD + PER_ENDPOINT_MAX,
    );
    ahead.clear();
    for (const message of messages) {
      if (inFlight.has(message.id)) continue;
      ahead.set(message.endpointId, [...(ahead.get(message.endpointId) ?? []), message]);
    }
    startWaiting();
    pumpIn(Math.max(PUMP_MS, Math.min(POLL_MS, (nextAtMs ?? nowMs + POLL_MS) - nowMs)));
  }

  function pumpIn(ms: number): void {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(runPump, ms).unref();
  }

  function runPump(): void {
    if (stopped) return;
    if (pumping) {
      again = true;
      return;
    }
    pumping = true;
    void pump()
      .catch((error: unknown) => {
        log.error({ err: error }, 'webhook queue');
        pumpIn(POLL_MS);
      })
      .finally(() => {
        pumping = false;
        if (again) wake();
        again = false;
      });
  }

  function wake(): void {
    if (pumping) again = true;
    else pumpIn(Math.max(0, pumpedMs + PUMP_MS - performance.now()));
  }

  return {
    add: wake,
    replay: wake,
    recheck: wake,
    start() {
      stopped = false;
      wake();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(startsPause);
      ahead.clear();
      await Promise.all([...inFlight.values()].map((one) => one.done));
    },
  };
}
