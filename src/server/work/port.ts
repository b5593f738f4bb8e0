import type { QueuePosition } from '../../storage/ports.ts';
import type { JobSize } from './job-cost.ts';

/** A bounded queue of stored jobs. The store remembers the jobs themselves. */
export interface WorkQueue {
  /** Reserves a slot, or returns why none is free. `submit` uses the slot and `cancel` releases it. */
  reserve(accountId: string, share: JobSize): Promise<Slot | NoSlot>;
  /** Records that a job with this tag has started in this process. */
  recordStart(tag: number | null | undefined): void;
  /** Charges an account for a job that exceeded its estimated cost. */
  charge(accountId: string, cost: number): Promise<void>;
  /** Starts processing, including jobs left by an earlier process. */
  start(): Promise<void>;
  readonly waiting: number;
  readonly running: number;
  /** Jobs waiting for a retry; in a shared queue they also count as waiting. */
  readonly delayed: number;
  /** Waiting and running jobs in quarantine, which each process runs one at a time. */
  readonly quarantined: number;
  readonly limit: number;
  /** Milliseconds the oldest job has been waiting; 0 if none waits. */
  oldestWaitMs(): number;
  /** Starts no more jobs, resolves the callers of jobs that have not started, and waits for the running ones. */
  drain(): Promise<void>;
}

/** Refused reservation: the queue is full, or the account has reached its limit of waiting jobs. */
export interface NoSlot {
  readonly full: 'queue' | 'account';
  /** The exceeded limit, in jobs. */
  readonly limit: number;
  /** Estimated seconds until the waiting jobs have finished, at the rate of the last minute. */
  readonly retrySeconds: number;
}

/** A reserved slot for one job. */
export interface Slot {
  /** Cost of the job, for a store that orders jobs. */
  readonly cost: number;
  /** Enqueues the stored job at its position in the order. Resolves when the job has ended, whatever its outcome. */
  submit(id: string, position: QueuePosition | undefined): Promise<void>;
  cancel(): void;
}

/**
 * `again`: the outcome could not be stored, so the job must be retried later. `quarantine`: the job did not start,
 * because it may crash the process, and must run in quarantine.
 */
export type JobEnd = 'ended' | 'again' | 'quarantine';

/** Reasons for aborting a running job: another process has taken it, or this process is stopping and gives it back. */
export const LOST = 'lost';
export const STOPPING = 'stopping';

/** Runs one job in this process, or in quarantine (`inChild`); never rejects. Stores nothing after `signal` aborts. */
export type RunJob = (id: string, signal: AbortSignal, inChild: boolean) => Promise<JobEnd>;
