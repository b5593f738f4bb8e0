import type { Environment } from '../../domain/account.ts';

/**
 * Position of a job in the fair order of all accounts; the smallest tag runs next. Consecutive tags of an account
 * differ by the cost of its jobs, starting at the tag started last.
 */
export interface QueuePosition {
  readonly tag: number;
  /** Current base that priorities subtract from tags. */
  readonly base: number;
}

/** Progress of the order in one environment. */
export interface OrderState {
  /** Highest tag started. */
  readonly startedTag: number;
  readonly base: number;
}

/** The fair order of jobs over all processes. */
export interface OrderStore {
  read(environment: Environment): Promise<OrderState>;
  /** Records the start of a job with this tag; lower tags than the current one are ignored. */
  advance(environment: Environment, tag: number): Promise<void>;
  /** Sets the base to the highest tag started. */
  rebase(environment: Environment): Promise<void>;
  /** Raises the tag of an account's next job by a cost; waiting jobs keep their position. */
  charge(accountId: string, environment: Environment, cost: number): Promise<void>;
  /** Counts the unfinished jobs of an account, up to `most`. */
  countUnfinished(accountId: string, environment: Environment, limit: number): Promise<number>;
}
