import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { RedisTarget } from './address.ts';
import { RECONNECT_MAX_MS, REQUEST_OPTIONS, WORK_OPTIONS, waitBeforeRetry } from './connect.ts';

/** What the connections of queues are made with, and how they end. */
export interface QueueConnections {
  /** Of those that add and count. */
  readonly request: RedisTarget;
  /** Of those that wait for work. */
  readonly work: RedisTarget;
  /**
   * Closes a queue or its worker. Where the server is away, its goodbye would fail or be waited for without end, and
   * tries to connect keep the process running: once the work has `ended`, none is made again.
   */
  close(one: { close(): Promise<void> }, ended?: Promise<unknown>): Promise<void>;
}

/** How the queue sees to it that work of a dead process is done by another. */
export interface LockTimes {
  /** A process that has not renewed its lock by then has lost the work. */
  readonly lockMs: number;
  readonly stalledCheckMs: number;
  readonly sweepMs: number;
  /** Work younger than this is not put back by the sweep. */
  readonly settledMs: number;
}

/** Where queues of many processes are. */
export interface QueueTarget {
  readonly connections: QueueConnections;
  readonly client: Redis;
  readonly prefix: string;
  readonly times: LockTimes;
}

/** How long a goodbye to a server that is away may take: BullMQ can wait for its answer without end. */
const GOODBYE_MS = 2_000;

/** Creates the connections of the queues of one process; `client` says whether the server is there. */
export function createQueueConnections(target: RedisTarget, client: Pick<Redis, 'status'>): QueueConnections {
  let givenUp: Promise<void> | undefined;
  const isAway = () => client.status !== 'ready';
  const retryStrategy = (times: number) => (givenUp ? null : waitBeforeRetry(times));
  const retries = { retryStrategy, sentinelRetryStrategy: retryStrategy };
  let endGoodbyes = () => {};
  const goodbyesEnd = new Promise<void>((resolve) => {
    endGoodbyes = resolve;
  });
  const giveUp = () => {
    if (givenUp === undefined) {
      givenUp = sleep(2 * RECONNECT_MAX_MS);
      void givenUp.then(() => sleep(GOODBYE_MS)).then(endGoodbyes);
    }
    return givenUp;
  };
  return {
    request: { ...target, ...REQUEST_OPTIONS, ...retries },
    work: { ...target, ...WORK_OPTIONS, ...retries },
    async close(one, ended) {
      if (isAway()) {
        await ended;
        // By then none is being made: BullMQ waits without end for the end of one that is.
        await giveUp();
      }
      const watch = setInterval(() => void (isAway() && giveUp()), RECONNECT_MAX_MS).unref();
      // The server may go away while the work still runs, which is waited for all the same.
      await Promise.race([one.close().catch(() => undefined), goodbyesEnd.then(() => ended)]);
      clearInterval(watch);
    },
  };
}
