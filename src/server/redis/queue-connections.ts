import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { RedisTarget } from './address.ts';
import { REQUEST_OPTIONS, WORK_OPTIONS, waitBeforeRetry } from './connect.ts';

/** A server that is there has answered a goodbye by then. */
const GOODBYE_MS = 5_000;

/** What the connections of queues are made with, and how they end. */
export interface QueueConnections {
  /** Of those that add and count. */
  readonly request: RedisTarget;
  /** Of those that wait for work. */
  readonly work: RedisTarget;
  /** Closes a queue. Its goodbye to a server that is away fails, or is waited for without end. */
  close(queue: { close(): Promise<void> }): Promise<void>;
  /** Closes a worker, which takes no more; what it does has `ended` then, or is cut off from a server that is away. */
  closeWorker(
    worker: { pause(): Promise<void>; close(force: boolean): Promise<void> },
    ended: Promise<unknown>,
  ): Promise<void>;
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

/** Creates the connections of the queues of one process. */
export function createQueueConnections(target: RedisTarget): QueueConnections {
  let givenUp = false;
  const retryStrategy = (times: number) => (givenUp ? null : waitBeforeRetry(times));
  const retries = { retryStrategy, sentinelRetryStrategy: retryStrategy };
  return {
    request: { ...target, ...REQUEST_OPTIONS, ...retries },
    work: { ...target, ...WORK_OPTIONS, ...retries },
    async close(queue) {
      // Else its tries to connect would keep the process running.
      if (!(await isDoneSoon(queue.close()))) givenUp = true;
    },
    async closeWorker(worker, ended) {
      const idle = worker.pause();
      await ended;
      await isDoneSoon(idle);
      await worker.close(true);
    },
  };
}

const isDoneSoon = (work: Promise<void>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => true,
      () => false,
    ),
    sleep(GOODBYE_MS, false, { ref: false }),
  ]);
