import type { FastifyBaseLogger } from 'fastify';
import type { DueMessage, ServiceProcess, Store } from '../../storage/ports.ts';
import type { ServerClock } from '../clock.ts';
import type { ServerSettings } from '../server-settings.ts';
import type { Send } from './sender.ts';

/** Delivers stored messages to their endpoints in the background. The store is the queue. */
export interface Dispatcher {
  /** Polls the store soon, because messages were added or rescheduled. */
  wake(): void;
  start(): void;
  /** Starts no more deliveries and waits for those in flight. */
  stop(): Promise<void>;
}

const MAX_IN_FLIGHT = 128;
/** Maximum concurrent deliveries per endpoint. */
const MAX_PER_ENDPOINT = 4;
/** Maximum concurrent deliveries per account, so slow receivers leave room for other accounts. */
const MAX_PER_ACCOUNT = 16;
/** Pause after an attempt that could not be stored, so its message is not resent immediately. */
const STORE_PAUSE_MS = 10_000;
/** Messages read ahead per endpoint, to query the store once for many deliveries. */
const READ_AHEAD = 32;
/** Minimum interval between polls, however many deliveries end. */
const PUMP_MS = 50;
/**
 * Maximum deliveries started before a pause of `STARTS_PAUSE_MS`. A backlog for a fast receiver would otherwise keep
 * the event loop from serving requests.
 */
const MAX_STARTS = 8;
const STARTS_PAUSE_MS = 25;
/** Poll intervals: another process may store messages, such as a command or one that shares the store. */
const POLL_MS = 2_000;
const SHARED_POLL_MS = 500;
/** Time after which another process takes over from one that died or hangs. */
const LEASE_MS = 10_000;

/**
 * Creates the dispatcher: at-least-once delivery, bounded in total, per account and per endpoint. Of the processes that
 * share a store, only the lease holder delivers.
 */
export function createDispatcher(options: {
  store: Store;
  clock: ServerClock;
  self: Pick<ServiceProcess, 'id'>;
  settings: Pick<ServerSettings, 'environment' | 'sendsWebhooks'>;
  send: Send;
  log: FastifyBaseLogger;
}): Dispatcher {
  const { store, clock, self, settings, log } = options;
  const pollMs = store.shared ? SHARED_POLL_MS : POLL_MS;
  const inFlight = new Map<string, { message: DueMessage; done: Promise<void> }>();
  /** Messages read ahead, by endpoint. */
  const readAhead = new Map<string, DueMessage[]>();
  let timer: NodeJS.Timeout | undefined;
  let startsPause: NodeJS.Timeout | undefined;
  let pumping = false;
  let pumpAgain = false;
  let stopped = true;
  let pumpedMs = Number.NEGATIVE_INFINITY;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let leaseUntilMs = Number.NEGATIVE_INFINITY;

  /** Returns true if this process holds the delivery lease. */
  async function holdLease(): Promise<boolean> {
    const requestedMs = performance.now();
    if (requestedMs < leaseUntilMs - LEASE_MS / 2) return true;
    const isOurs = await store.leases.acquire('webhooks', self.id, LEASE_MS);
    leaseUntilMs = isOurs ? requestedMs + LEASE_MS : Number.NEGATIVE_INFINITY;
    return isOurs;
  }

  async function deliver({ id }: DueMessage): Promise<void> {
    const message = await store.webhooks.getMessage(id);
    const endpoint = message && (await store.webhooks.getEndpoint(message.endpointId));
    // Removed, disabled, delivered or postponed since it was read ahead.
    if (!endpoint || message.status !== 'pending' || endpoint.status !== 'enabled') return;
    if (message.nextAttemptAtMs > clock.wallMs()) return;
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
        if (!readAhead.has(message.endpointId)) wake();
      });
    inFlight.set(message.id, { message, done });
  }

  function hasRoom({ endpointId, accountId }: DueMessage): boolean {
    if (inFlight.size >= MAX_IN_FLIGHT) return false;
    const all = [...inFlight.values()].map(({ message }) => message);
    return (
      all.filter((one) => one.endpointId === endpointId).length < MAX_PER_ENDPOINT &&
      all.filter((one) => one.accountId === accountId).length < MAX_PER_ACCOUNT
    );
  }

  /** Starts waiting deliveries within the limits, round-robin over the endpoints. */
  function startWaiting(): void {
    const nowMs = performance.now();
    if (stopped || startsPause !== undefined || nowMs < pausedUntilMs || nowMs > leaseUntilMs) return;
    let remaining = MAX_STARTS;
    for (let started = true; started && remaining > 0; ) {
      started = false;
      for (const [endpointId, messages] of [...readAhead]) {
        const [first] = messages;
        if (remaining === 0 || !first || !hasRoom(first)) continue;
        remaining--;
        messages.shift();
        readAhead.delete(endpointId);
        if (messages.length > 0) readAhead.set(endpointId, messages);
        start(first);
        started = true;
      }
    }
    if (remaining === MAX_STARTS) return;
    startsPause = setTimeout(() => {
      startsPause = undefined;
      startWaiting();
    }, STARTS_PAUSE_MS).unref();
  }

  async function pump(): Promise<void> {
    const nowMs = clock.wallMs();
    pumpedMs = performance.now();
    if (!(await holdLease())) {
      readAhead.clear();
      return pumpIn(POLL_MS);
    }
    // Reads extra messages because those in flight are still `pending` in the store.
    const { messages, nextAtMs } = await store.webhooks.listDue(
      settings.environment,
      nowMs,
      READ_AHEAD + MAX_PER_ENDPOINT,
    );
    readAhead.clear();
    for (const message of messages) {
      if (inFlight.has(message.id)) continue;
      readAhead.set(message.endpointId, [...(readAhead.get(message.endpointId) ?? []), message]);
    }
    startWaiting();
    pumpIn(Math.max(PUMP_MS, Math.min(pollMs, (nextAtMs ?? nowMs + pollMs) - nowMs)));
  }

  function pumpIn(ms: number): void {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(runPump, ms).unref();
  }

  function runPump(): void {
    if (stopped) return;
    if (pumping) {
      pumpAgain = true;
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
        if (pumpAgain) wake();
        pumpAgain = false;
      });
  }

  function wake(): void {
    if (pumping) pumpAgain = true;
    else pumpIn(Math.max(0, pumpedMs + PUMP_MS - performance.now()));
  }

  return {
    wake,
    start() {
      if (!settings.sendsWebhooks) return;
      stopped = false;
      wake();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(startsPause);
      readAhead.clear();
      await Promise.all([...inFlight.values()].map((one) => one.done));
    },
  };
}
