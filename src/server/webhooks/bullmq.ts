import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError, type Job, Worker } from 'bullmq';
import type { FastifyBaseLogger } from 'fastify';
import type { PendingMessage, ServiceProcess, Store, WebhookEndpoint } from '../../storage/ports.ts';
import type { ServerClock } from '../clock.ts';
import type { Metrics } from '../metrics.ts';
import { runReader } from '../redis/connect.ts';
import { listWithoutJob, WEBHOOKS } from '../redis/jobs.ts';
import { takePlace } from '../redis/places.ts';
import type { QueueTarget } from '../redis/queue-connections.ts';
import type { ServerSettings } from '../server-settings.ts';
import { openQueue } from '../work/bullmq-lane.ts';
import { createSweep, sweepByTurns } from '../work/sweep.ts';
import { createFlights } from './flights.ts';
import { type Dispatcher, PER_ENDPOINT_MAX, STORE_PAUSE_MS } from './port.ts';
import type { Send } from './sender.ts';

/** Messages that this process works on at once, those among them that find no place at their endpoint. */
const AT_ONCE = 32;
/** A message that finds no place at its endpoint tries again after this, each time later, not all at once. */
const WAIT_MS = 200;
const WAIT_GROWTH = 1.5;
const WAIT_MAX_MS = 10_000;
const waitMs = (tries: number) =>
  Math.min(WAIT_MAX_MS, WAIT_MS * WAIT_GROWTH ** tries) * (0.5 + Math.random() / 2);
/** Messages handed over in one question. */
const PAGE = 1_000;
/** Attempts are counted with the message; a job that fails more often is put back by the sweep. */
const ATTEMPTS_MAX = 1_000;
const STALLED_MAX = 1_000;
const ENDED_MS = 1_000;

/** An attempt ended and the next is due at a time. */
class NextAttempt extends Error {
  readonly atMs: number;

  constructor(atMs: number) {
    super('next attempt');
    this.atMs = atMs;
  }
}

/** What sends the messages of a store that several processes share. */
export interface SharedDispatcherParts {
  readonly store: Store;
  readonly clock: ServerClock;
  readonly self: ServiceProcess;
  readonly settings: Pick<ServerSettings, 'environment' | 'sendsWebhooks'>;
  readonly send: Send;
  readonly log: FastifyBaseLogger;
  readonly metrics: Pick<Metrics, 'stalled' | 'locksLost' | 'putBack' | 'sweepSeconds'>;
}

/**
 * Creates the dispatcher of a store that several processes share. It hands out messages over all processes by BullMQ,
 * as many at once to each endpoint as from one process. A job is the id of a message and nothing else: its attempts and
 * the time of the next one are in the store, and what Redis loses is put back from there.
 */
export function createSharedDispatcher(
  { store, clock, self, settings, send, log, metrics }: SharedDispatcherParts,
  { connections, client, prefix, times }: QueueTarget,
): Dispatcher {
  const { environment } = settings;
  const queue = openQueue(WEBHOOKS, { connections, prefix });
  queue.on('error', (err) => log.debug({ reason: err.message }, 'webhook queue'));
  const flights = createFlights();
  const handing = new Set<Promise<void>>();
  const sending = new Set<Promise<unknown>>();
  let worker: Worker | undefined;
  let endSweeping = () => {};

  async function add(messages: readonly Pick<PendingMessage, 'id' | 'nextAttemptAtMs'>[]): Promise<void> {
    const nowMs = clock.wallMs();
    await queue.addBulk(
      messages.map(({ id, nextAttemptAtMs }) => ({
        name: 'm',
        data: { id },
        opts: {
          jobId: id,
          delay: Math.max(0, nextAttemptAtMs - nowMs),
          attempts: ATTEMPTS_MAX,
          backoff: { type: 'custom' },
          // One that is kept would keep its id from being added again.
          removeOnComplete: true,
          removeOnFail: true,
          stackTraceLimit: 0,
        },
      })),
    );
  }

  /** Hands messages over apart from the request that stored them; what fails is left to the sweep. */
  function handOver(work: Promise<void>): void {
    const handed = work
      .catch((error: Error) => log.warn({ reason: error.message }, 'webhooks are left to the sweep'))
      .finally(() => handing.delete(handed));
    handing.add(handed);
  }

  async function hurry(id: string): Promise<void> {
    await add([{ id, nextAttemptAtMs: 0 }]);
    const job = await queue.getJob(id);
    // Begun meanwhile, it is not delayed any more.
    if (await job?.isDelayed()) await job?.promote().catch(() => undefined);
  }

  async function addPending(endpointId: string): Promise<void> {
    let after: PendingMessage | undefined;
    for (;;) {
      const position = after === undefined ? {} : { after };
      const page = await store.webhooks.pending(environment, { endpointId, ...position, limit: PAGE });
      await add(page);
      after = page.at(-1);
      if (page.length < PAGE || !after) return;
    }
  }

  /** Takes a place at the endpoint; undefined where it, or its account, has all that it may have. */
  async function placeAt(endpoint: WebhookEndpoint, id: string): Promise<(() => void) | undefined> {
    // Those of this process are counted here too: what Redis knew of them it may have lost.
    const land = flights.begin(id, endpoint);
    if (!land) return undefined;
    const key = `${prefix}:${WEBHOOKS}:${endpoint.id}`;
    const leave = await takePlace({ client, key, limit: PER_ENDPOINT_MAX, lockMs: times.lockMs }).catch(
      // Redis is away: so is the job.
      () => undefined,
    );
    if (!leave) {
      land();
      return undefined;
    }
    return () => {
      leave();
      land();
    };
  }

  /**
   * Makes one attempt. Returns the milliseconds after which to try again what could not be begun.
   * @throws NextAttempt where another one is to follow
   */
  async function attempt(job: Job): Promise<number | undefined> {
    const id = String(job.id);
    const message = await store.webhooks.getMessage(id);
    const endpoint = message && (await store.webhooks.getEndpoint(message.endpointId));
    // Removed, disabled or delivered since it was handed over.
    if (!endpoint || message.status !== 'pending' || endpoint.status !== 'enabled') return undefined;
    const earlyMs = message.nextAttemptAtMs - clock.wallMs();
    if (earlyMs > 0) return earlyMs;
    const leave = await placeAt(endpoint, id);
    if (!leave) return waitMs(job.attemptsStarted - job.attemptsMade);
    const sent = send(endpoint, message);
    sending.add(sent);
    try {
      const then = await sent;
      if (then.status === 'pending') throw new NextAttempt(then.nextAttemptAtMs);
      return undefined;
    } finally {
      sending.delete(sent);
      leave();
    }
  }

  async function doJob(job: Job, token: string | undefined): Promise<void> {
    const againMs = await attempt(job).catch((error: unknown) => {
      if (error instanceof NextAttempt) throw error;
      log.error({ err: error, message: job.id }, 'webhook delivery');
      // Redis keeps no word of why.
      throw new NextAttempt(clock.wallMs() + STORE_PAUSE_MS);
    });
    if (againMs === undefined) return;
    await job.moveToDelayed(Date.now() + againMs, token);
    throw new DelayedError();
  }

  function work(): Worker {
    const made = new Worker(WEBHOOKS, doJob, {
      connection: connections.work,
      prefix,
      concurrency: AT_ONCE,
      lockDuration: times.lockMs,
      stalledInterval: times.stalledCheckMs,
      maxStalledCount: STALLED_MAX,
      settings: {
        backoffStrategy: (_attempts, _type, error) =>
          error instanceof NextAttempt ? Math.max(0, error.atMs - clock.wallMs()) : STORE_PAUSE_MS,
      },
    });
    made.on('error', (err) => log.warn({ reason: err.message }, 'webhook queue'));
    made.on('stalled', () => metrics.stalled.inc({ queue: WEBHOOKS }));
    made.on('lockRenewalFailed', (ids) => metrics.locksLost.inc({ queue: WEBHOOKS }, ids.length));
    return made;
  }

  function startSweeping(): () => void {
    const sweep = createSweep<PendingMessage>({
      page: (range) => store.webhooks.pending(environment, range),
      queue: {
        missing: (ids) => listWithoutJob(client, prefix, ids, [WEBHOOKS]),
        add,
        runId: runReader(client),
      },
      nowMs: clock.wallMs,
      settledMs: times.settledMs,
    });
    return sweepByTurns({
      leases: store.leases,
      lease: 'webhooks',
      holder: self.id,
      everyMs: times.sweepMs,
      async sweep() {
        const putBack = await sweep();
        metrics.putBack.inc({ queue: WEBHOOKS }, putBack);
        if (putBack > 0) log.warn({ messages: putBack }, 'webhooks were put back that the queue had lost');
      },
      onSwept: (seconds) => metrics.sweepSeconds.observe({ queue: WEBHOOKS }, seconds),
      log,
    });
  }

  return {
    add(messages) {
      if (messages.length > 0) handOver(add(messages.map(({ id }) => ({ id, nextAttemptAtMs: 0 }))));
    },
    replay: (id) => handOver(hurry(id)),
    recheck: (endpointId) =>
      handOver(endpointId === undefined ? queue.promoteJobs() : addPending(endpointId)),
    start() {
      if (!settings.sendsWebhooks) return;
      worker = work();
      endSweeping = startSweeping();
    },
    async stop() {
      endSweeping();
      if (worker) await connections.close(worker, Promise.allSettled(sending));
      await Promise.race([Promise.all(handing), sleep(ENDED_MS, undefined, { ref: false })]);
      await connections.close(queue);
    },
  };
}
