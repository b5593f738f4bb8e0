import type { FastifyBaseLogger } from 'fastify';
import type { DueMessage, ServiceProcess, Store } from '../../storage/ports.ts';
import type { ServerClock } from '../clock.ts';
import type { ServerSettings } from '../server-settings.ts';
import type { SendMessage } from './sender.ts';

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
const STORE_RETRY_MS = 10_000;
/** Messages read ahead per endpoint, to query the store once for many deliveries. */
const READ_AHEAD_COUNT = 32;
/** Minimum interval between polls, however many deliveries end. */
const MIN_PUMP_INTERVAL_MS = 50;
/**
 * Maximum deliveries started before a pause of `STARTS_PAUSE_MS`. A backlog for a fast receiver would otherwise keep
 * the event loop from serving requests.
 */
const MAX_STARTS = 8;
const STARTS_PAUSE_MS = 25;
/** Poll intervals: another process may store messages, such as a command or one that shares the store. */
const POLL_INTERVAL_MS = 2_000;
const SHARED_POLL_INTERVAL_MS = 500;
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
  send: SendMessage;
  log: FastifyBaseLogger;
}): Dispatcher {
  const { store, clock, self, settings, log } = options;
  const pollMs = store.shared ? SHARED_POLL_INTERVAL_MS : POLL_INTERVAL_MS;
  const inFlight = new Map<string, { message: DueMessage; promise: Promise<void> }>();
  /** Messages read ahead, by endpoint. */
  const readAhead = new Map<string, DueMessage[]>();
  let timer: NodeJS.Timeout | undefined;
  let startsPause: NodeJS.Timeout | undefined;
  let isPumping = false;
  let needsPump = false;
  let isStopped = true;
  let pumpedMs = Number.NEGATIVE_INFINITY;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let leaseUntilMs = Number.NEGATIVE_INFINITY;

  /** Returns true if this process holds the delivery lease. */
  async function acquireLease(): Promise<boolean> {
    const requestedMs = performance.now();
    if (requestedMs < leaseUntilMs - LEASE_MS / 2) return true;
    const isHolder = await store.leases.acquire('webhooks', self.id, LEASE_MS);
    leaseUntilMs = isHolder ? requestedMs + LEASE_MS : Number.NEGATIVE_INFINITY;
    return isHolder;
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
    const promise = deliver(message)
      .catch((error: unknown) => {
        log.error({ err: error, message: message.id }, 'webhook delivery');
        pausedUntilMs = performance.now() + STORE_RETRY_MS;
      })
      .finally(() => {
        inFlight.delete(message.id);
        startDeliveries();
        if (!readAhead.has(message.endpointId)) wake();
      });
    inFlight.set(message.id, { message, promise });
  }

  function hasCapacity({ endpointId, accountId }: DueMessage): boolean {
    if (inFlight.size >= MAX_IN_FLIGHT) return false;
    const messages = [...inFlight.values()].map(({ message }) => message);
    return (
      messages.filter((message) => message.endpointId === endpointId).length < MAX_PER_ENDPOINT &&
      messages.filter((message) => message.accountId === accountId).length < MAX_PER_ACCOUNT
    );
  }

  /** Starts waiting deliveries within the limits, round-robin over the endpoints. */
  function startDeliveries(): void {
    const nowMs = performance.now();
    if (isStopped || startsPause !== undefined || nowMs < pausedUntilMs || nowMs > leaseUntilMs) return;
    let remaining = MAX_STARTS;
    for (let started = true; started && remaining > 0; ) {
      started = false;
      for (const [endpointId, messages] of [...readAhead]) {
        const [first] = messages;
        if (remaining === 0 || !first || !hasCapacity(first)) continue;
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
      startDeliveries();
    }, STARTS_PAUSE_MS).unref();
  }

  async function pump(): Promise<void> {
    const nowMs = clock.wallMs();
    pumpedMs = performance.now();
    if (!(await acquireLease())) {
      readAhead.clear();
      return schedulePump(POLL_INTERVAL_MS);
    }
    // Reads extra messages because those in flight are still `pending` in the store.
    const { messages, nextAtMs } = await store.webhooks.listDue(
      settings.environment,
      nowMs,
      READ_AHEAD_COUNT + MAX_PER_ENDPOINT,
    );
    readAhead.clear();
    for (const message of messages) {
      if (inFlight.has(message.id)) continue;
      readAhead.set(message.endpointId, [...(readAhead.get(message.endpointId) ?? []), message]);
    }
    startDeliveries();
    schedulePump(Math.max(MIN_PUMP_INTERVAL_MS, Math.min(pollMs, (nextAtMs ?? nowMs + pollMs) - nowMs)));
  }

  function schedulePump(ms: number): void {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(runPump, ms).unref();
  }

  function runPump(): void {
    if (isStopped) return;
    if (isPumping) {
      needsPump = true;
      return;
    }
    isPumping = true;
    void pump()
      .catch((error: unknown) => {
        log.error({ err: error }, 'webhook queue');
        schedulePump(POLL_INTERVAL_MS);
      })
      .finally(() => {
        isPumping = false;
        if (needsPump) wake();
        needsPump = false;
      });
  }

  function wake(): void {
    if (isPumping) needsPump = true;
    else schedulePump(Math.max(0, pumpedMs + MIN_PUMP_INTERVAL_MS - performance.now()));
  }

  return {
    wake,
    start() {
      if (!settings.sendsWebhooks) return;
      isStopped = false;
      wake();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      clearTimeout(startsPause);
      readAhead.clear();
      await Promise.all([...inFlight.values()].map((delivery) => delivery.promise));
    },
  };
}
