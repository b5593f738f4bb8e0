import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { RedisTarget } from './address.ts';
import { RECONNECT_MAX_MS, REQUEST_OPTIONS, WORK_OPTIONS, waitBeforeRetry } from './connect.ts';

/** Connection options of the queues, and how a queue is closed. */
export interface QueueConnections {
  /** Options for connections that add jobs and count them. */
  readonly request: RedisTarget;
  /** Options for connections that wait for jobs. */
  readonly work: RedisTarget;
  /**
   * Closes a queue or its worker. When Redis is unreachable, a clean close would fail or hang, and reconnecting would keep
   * the process alive, so reconnecting stops once `ended` settles.
   */
  close(one: { close(): Promise<void> }, ended?: Promise<unknown>): Promise<void>;
}

/** Timing by which another process takes over the work of a dead one. */
export interface LockTimes {
  /** A process that does not renew its lock within this time loses the work. */
  readonly lockMs: number;
  readonly stalledCheckMs: number;
  readonly sweepMs: number;
  /** Work younger than this is not put back by the sweep. */
  readonly settledMs: number;
}

/** Connection, key prefix and timing of the queues that processes share. */
export interface QueueTarget {
  readonly connections: QueueConnections;
  readonly client: Redis;
  readonly prefix: string;
  readonly times: LockTimes;
}

/** Maximum time to close a queue: BullMQ can wait for an unreachable server for ever. */
const CLOSE_MS = 2_000;

/** Creates the connections of the queues of one process; `client` shows whether Redis is reachable. */
export function createQueueConnections(target: RedisTarget, client: Pick<Redis, 'status'>): QueueConnections {
  let givenUp: Promise<void> | undefined;
  const isAway = () => client.status !== 'ready';
  const retryStrategy = (times: number) => (givenUp ? null : waitBeforeRetry(times));
  const retries = { retryStrategy, sentinelRetryStrategy: retryStrategy };
  let endClosing = () => {};
  const closingEnds = new Promise<void>((resolve) => {
    endClosing = resolve;
  });
  const giveUp = () => {
    if (givenUp === undefined) {
      givenUp = sleep(2 * RECONNECT_MAX_MS);
      void givenUp.then(() => sleep(CLOSE_MS)).then(endClosing);
    }
    return givenUp;
  };
  return {
    request: { ...target, ...REQUEST_OPTIONS, ...retries },
    work: { ...target, ...WORK_OPTIONS, ...retries },
    async close(one, ended) {
      if (isAway()) {
        await ended;
        // No connection attempt is pending after this; BullMQ would wait for it for ever.
        await giveUp();
      }
      const watch = setInterval(() => void (isAway() && giveUp()), RECONNECT_MAX_MS).unref();
      // Redis may become unreachable while the work still runs, which is waited for all the same.
      await Promise.race([one.close().catch(() => undefined), closingEnds.then(() => ended)]);
      clearInterval(watch);
    },
  };
}
