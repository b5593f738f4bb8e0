import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { RedisTarget } from './address.ts';
import { computeRetryDelayMs, MAX_RECONNECT_MS, REQUEST_OPTIONS, WORK_OPTIONS } from './connect.ts';

/** Connection options of the queues, and how to close a queue. */
export interface QueueConnections {
  /** Options for connections that add and count jobs. */
  readonly request: RedisTarget;
  /** Options for connections that wait for jobs. */
  readonly work: RedisTarget;
  /**
   * Closes a queue or its worker. When Redis is unreachable, a clean close would fail or hang, and reconnecting would
   * keep the process alive, so reconnecting stops once `ended` settles.
   */
  close(closable: { close(): Promise<void> }, jobsEnded?: Promise<unknown>): Promise<void>;
}

/** Timing of the takeover of a dead process's jobs. */
export interface LockTiming {
  /** A process that does not renew its lock within this time loses the job. */
  readonly lockMs: number;
  readonly stalledCheckMs: number;
  readonly sweepMs: number;
  /** Minimum age of a job that the sweep may put back. */
  readonly settledMs: number;
}

/** Connection, key prefix and timing of the shared queues. */
export interface QueueTarget {
  readonly connections: QueueConnections;
  readonly client: Redis;
  readonly prefix: string;
  readonly timing: LockTiming;
}

/** Maximum time to close a queue: BullMQ can wait forever for an unreachable server. */
const CLOSE_TIMEOUT_MS = 2_000;

/** Creates the queue connections of one process; `client` shows whether Redis is reachable. */
export function createQueueConnections(target: RedisTarget, client: Pick<Redis, 'status'>): QueueConnections {
  let stopped: Promise<void> | undefined;
  const isDisconnected = () => client.status !== 'ready';
  const retryStrategy = (times: number) => (stopped ? null : computeRetryDelayMs(times));
  const retries = { retryStrategy, sentinelRetryStrategy: retryStrategy };
  let endClosing = () => {};
  const closingEnds = new Promise<void>((resolve) => {
    endClosing = resolve;
  });
  const stopReconnecting = () => {
    if (stopped === undefined) {
      stopped = sleep(2 * MAX_RECONNECT_MS);
      void stopped.then(() => sleep(CLOSE_TIMEOUT_MS)).then(endClosing);
    }
    return stopped;
  };
  return {
    request: { ...target, ...REQUEST_OPTIONS, ...retries },
    work: { ...target, ...WORK_OPTIONS, ...retries },
    async close(closable, jobsEnded) {
      if (isDisconnected()) {
        await jobsEnded;
        // BullMQ would wait forever for a pending connection attempt; none is left after this.
        await stopReconnecting();
      }
      const poll = setInterval(() => void (isDisconnected() && stopReconnecting()), MAX_RECONNECT_MS).unref();
      // Running jobs are awaited even if Redis becomes unreachable meanwhile.
      await Promise.race([closable.close().catch(() => undefined), closingEnds.then(() => jobsEnded)]);
      clearInterval(poll);
    },
  };
}
