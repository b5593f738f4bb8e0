import type { FastifyBaseLogger } from 'fastify';
import type { JobLoad } from '../../storage/fair-order.ts';
import type { Store } from '../../storage/ports.ts';
import type { ServerClock } from '../clock.ts';
import type { ServerSettings } from '../server-settings.ts';

/** A bounded queue of stored jobs. The jobs themselves are kept in the store. */
export interface WorkQueue {
  /** Reserves a slot, or returns why none is free. `submit` uses the slot and `cancel` releases it. */
  reserve(accountId: string, load: JobLoad): Promise<Slot | NoSlot>;
  /** Starts processing, including jobs left by an earlier process. */
  start(run: RunJob): Promise<void>;
  getCounts(): QueueCounts;
  readonly limit: number;
  /** Starts no more jobs, resolves the callers of jobs that have not started, and waits for the running ones. */
  drain(): Promise<void>;
}

/** Numbers of jobs in a queue. */
export interface QueueCounts {
  readonly waiting: number;
  readonly running: number;
  /** Jobs waiting for a retry; they also count as waiting. */
  readonly delayed: number;
  /** Milliseconds the oldest job has been waiting to start, a reverted attempt of a shared queue included; 0 if none. */
  readonly oldestWaitMs: number;
}

/** Refused reservation: the queue is full or stopped, or the account has reached its limit of unfinished jobs. */
export type NoSlot =
  | { readonly refused: 'queue' }
  | { readonly refused: 'stopped' }
  /** `limit` is the account's, in jobs. */
  | { readonly refused: 'account'; readonly limit: number };

/** A reserved slot for one job. */
interface Slot {
  /** Cost of the job, for a store that orders jobs. */
  readonly cost: number;
  /**
   * Enqueues the stored job with the tag assigned by the store. Resolves when it has ended, whatever its outcome; earlier
   * if the queue is drained or, in a queue of one process, when the job is put back.
   */
  submit(id: string, tag: number | undefined): Promise<void>;
  cancel(): void;
}

/** `again`: the outcome could not be stored, or the job could not run now, so it must be retried later. */
export type JobEnd = 'ended' | 'again';

/** Runs one job; never rejects. Reverts the attempt once `stopping` aborts. */
export type RunJob = (id: string, stopping: AbortSignal) => Promise<JobEnd>;

/** Dependencies of a queue. */
export interface QueueParts {
  readonly settings: Pick<
    ServerSettings,
    'environment' | 'queueLimit' | 'workers' | 'jobRetryMs' | 'workGraceMs'
  >;
  readonly store: Pick<Store, 'inspections'>;
  readonly clock: Pick<ServerClock, 'wallMs'>;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}
