import type { FastifyBaseLogger } from 'fastify';
import type { DueMessage, Store, WebhookEndpoint, WebhookMessage } from '../../storage/ports.ts';
import type { ServerClock } from '../clock.ts';
import type { Metrics } from '../metrics.ts';
import type { OutgoingAgent } from '../net/guarded-agent.ts';
import type { ServerSettings } from '../settings.ts';
import { afterAttempt, type Outcome, reasonOf, retryAfterSeconds, SIMULATED } from './outcome.ts';
import { signature } from './sign.ts';

/** Sends stored messages to their endpoints, apart from any request. */
export interface Dispatcher {
  /** There may be something to send. */
  wake(): void;
  start(): void;
  /** Starts no more deliveries and waits for those under way. */
  stop(): Promise<void>;
}

const IN_FLIGHT_MAX = 128;
/** Slow receivers of one account leave room for those of others. */
const PER_ACCOUNT_MAX = 16;
const PER_ENDPOINT_MAX = 4;
/** Messages read ahead per endpoint, so that the store is asked once for many deliveries. */
const READ_AHEAD = 32;
/** The store is asked no more often, however many deliveries end. */
const PUMP_MS = 50;
/**
 * So many deliveries start at once, and the next after a pause: a backlog for a receiver that answers at once would keep
 * the event loop from the requests.
 */
const STARTS_MAX = 8;
const STARTS_PAUSE_MS = 25;
/** Another process (the command line) may have stored a message. */
const POLL_MS = 2_000;
/** Pause after an attempt that could not be stored, so that its message is not sent again at once. */
const STORE_PAUSE_MS = 10_000;

/** Creates the dispatcher of one service: at-least-once, bounded in all and per endpoint, never following redirects. */
export function createDispatcher(options: {
  store: Store;
  clock: ServerClock;
  agent: OutgoingAgent;
  settings: Pick<
    ServerSettings,
    'environment' | 'webhookTimeoutMs' | 'webhookRetrySeconds' | 'softwareVersion'
  >;
  allowHttp: boolean;
  metrics: Metrics;
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

  async function post(endpoint: WebhookEndpoint, message: WebhookMessage): Promise<Outcome> {
    const simulated =
      message.attempts === 0 && message.simulate !== null ? SIMULATED[message.simulate] : undefined;
    if (simulated) return simulated;
    const nowMs = clock.wallMs();
    const seconds = Math.floor(nowMs / 1000);
    const live = endpoint.previousSecret !== null && (endpoint.previousSecretExpiresAtMs ?? 0) > nowMs;
    const secrets = live ? [endpoint.secret, endpoint.previousSecret as string] : [endpoint.secret];
    try {
      if (!options.allowHttp && !endpoint.url.startsWith('https:'))
        throw Object.assign(new Error(), { code: 'scheme' });
      const { request } = await import('undici');
      const answer = await request(endpoint.url, {
        dispatcher: await options.agent.open(),
        method: 'POST',
        signal: AbortSignal.timeout(settings.webhookTimeoutMs),
        headersTimeout: settings.webhookTimeoutMs,
        headers: {
          'content-type': 'application/json',
          'user-agent': `vehi/${settings.softwareVersion}`,
          'webhook-id': message.id,
          'webhook-timestamp': String(seconds),
          'webhook-signature': signature(secrets, message.id, seconds, message.payload),
        },
        body: message.payload,
      });
      // What the receiver says is of no interest, only that it answered; its body is not waited for.
      answer.body.on('error', () => undefined).destroy();
      const header = answer.headers['retry-after'];
      return {
        statusCode: answer.statusCode,
        error: null,
        retryAfterSeconds: retryAfterSeconds(typeof header === 'string' ? header : undefined, nowMs),
      };
    } catch (error) {
      return { statusCode: null, error: reasonOf(error), retryAfterSeconds: undefined };
    }
  }

  async function deliver({ id }: DueMessage): Promise<void> {
    const message = await store.webhooks.getMessage(id);
    const endpoint = message && (await store.webhooks.getEndpoint(message.endpointId));
    // Removed, disabled or delivered since it was read ahead.
    if (!endpoint || message.status !== 'pending' || endpoint.status !== 'enabled') return;
    const at = clock.now().toISOString();
    const startedMs = clock.monotonicMs();
    const outcome = await post(endpoint, message);
    const durationMs = clock.monotonicMs() - startedMs;
    const schedule = message.simulate !== null && message.attempts === 0 ? [1] : settings.webhookRetrySeconds;
    const then = afterAttempt(message.attempts, outcome, schedule, clock.wallMs(), Math.random());
    const { statusCode, error } = outcome;
    options.metrics.webhooks.inc({ outcome: then.status });
    log.info(
      {
        message: id,
        endpoint: endpoint.id,
        account: endpoint.accountId,
        resource: message.resourceId,
        event: message.event,
        outcome: then.status,
        status: statusCode,
        error,
        attempt: message.attempts + 1,
        ms: Math.round(durationMs),
      },
      'delivery',
    );
    await store.webhooks.recordAttempt({ messageId: id, at, statusCode, error, durationMs }, then);
    if (then.disable) {
      await store.webhooks.updateEndpoint(endpoint.id, {
        status: 'disabled',
        disabledReason: 'the receiver answered 410 Gone',
      });
    }
    if (then.status === 'failed') log.warn({ message: id, endpoint: endpoint.id }, 'webhook given up');
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
    wake,
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
