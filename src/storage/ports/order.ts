import type { Environment } from '../../domain/choices.ts';

/**
 * Where work stands among that of all accounts: what is started next has the smallest tag. An account's tags are as far
 * apart as its work costs, from the tag that was started last.
 */
export interface PlaceInOrder {
  readonly tag: number;
  /** What tags are counted from just now. */
  readonly base: number;
}

/** How far the order of one environment has come. */
export interface OrderState {
  /** The highest tag that was started. */
  readonly begun: number;
  readonly base: number;
}

/** The order of work over all processes. */
export interface OrderStore {
  read(environment: Environment): Promise<OrderState>;
  /** Work with this tag was started; a lower one than known changes nothing. */
  advance(environment: Environment, tag: number): Promise<void>;
  /** Counts tags from the highest that was started. */
  rebase(environment: Environment): Promise<void>;
  /** Raises the tag of the next work of an account by a cost; waiting work keeps its place. */
  charge(accountId: string, environment: Environment, cost: number): Promise<void>;
  /** Returns the number of unfinished works of an account, counted up to `most`. */
  countUnfinished(accountId: string, environment: Environment, most: number): Promise<number>;
}
