import type { PlaceInOrder } from '../../storage/ports.ts';
import type { Share } from './fair-order.ts';

/** Hands out stored work, bounded over all that waits and runs. What there is to do is remembered by the store. */
export interface WorkQueue {
  /** Keeps a place, or says why there is none. The place is used by `submit` or given back by `cancel`. */
  reserve(accountId: string, share: Share): Promise<Place | NoPlace>;
  /** Work with this tag is started in this process. */
  began(tag: number | null | undefined): void;
  /** Work of an account took more than it was counted with. */
  charge(accountId: string, cost: number): Promise<void>;
  /** Begins to hand out work, also what an earlier process left. */
  start(): Promise<void>;
  readonly waiting: number;
  readonly running: number;
  /** Work that is tried again later; over several processes it is among what waits. */
  readonly delayed: number;
  /** Waiting and running work in quarantine, which each process does one at a time. */
  readonly quarantined: number;
  readonly limit: number;
  /** Milliseconds that the work at the head of the longest wait has been waiting; 0 when nothing waits. */
  oldestWaitMs(): number;
  /** Starts no more work, releases those who wait for work not begun, and waits for what runs. */
  drain(): Promise<void>;
}

/** Refusal of a place: the queue is full, or the account has reached its limit of waiting work. */
export interface NoPlace {
  readonly full: 'queue' | 'account';
  /** The limit that is reached, in pieces of work. */
  readonly limit: number;
  /** Estimated seconds until the waiting work has ended, at the rate of the last minute. */
  readonly retrySeconds: number;
}

/** Room for one piece of work. */
export interface Place {
  /** What the work costs its account, for a store that orders work. */
  readonly cost: number;
  /** Hands over work that is stored, with what the store said. Resolves when it has ended, whatever the outcome. */
  submit(id: string, order: PlaceInOrder | undefined): Promise<void>;
  cancel(): void;
}

/**
 * `again`: the outcome could not be stored; the work is to be handed out once more after a while. `quarantine`: it was
 * not begun, as it may end the process; it is to be done apart.
 */
export type WorkEnd = 'ended' | 'again' | 'quarantine';

/** Why `signal` aborts running work: another process has it by now, or this one ends and gives it back. */
export const LOST = 'lost';
export const STOPPING = 'stopping';

/**
 * Does one piece of work, here or `apart` in quarantine; never rejects. Where `signal` aborts, nothing more is stored.
 */
export type RunWork = (id: string, signal: AbortSignal, apart: boolean) => Promise<WorkEnd>;
