export interface IdempotencyRef {
  readonly accountId: string;
  readonly operation: string;
  readonly key: string;
  /** Random, of one request. */
  readonly claim: string;
}

/** Time after which a claim that is not renewed expires. */
export const CLAIM_MS = 15_000;

/** Thrown by the creation of a resource whose key another request has claimed since: this one was considered dead. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

export interface IdempotencyEntry {
  readonly fingerprint: string;
  readonly resourceId: string | null;
  /** The answer to repeat; null while the first request is under way (or died before it answered). */
  readonly answer: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: string;
  } | null;
  readonly createdAtMs: number;
}

export interface IdempotencyStore {
  /**
   * Claims the key; when it is taken, nothing changes and the entry that holds it is returned. A claim without a
   * resource or an answer counts for `CLAIM_MS` after it was made or renewed; an entry made at `expiredMs` or before does
   * not count.
   */
  claim(
    ref: IdempotencyRef,
    fingerprint: string,
    nowMs: number,
    expiredMs?: number,
  ): Promise<IdempotencyEntry | undefined>;
  answer(ref: IdempotencyRef, answer: NonNullable<IdempotencyEntry['answer']>): Promise<void>;
  /** Makes claims that have no resource yet last from now on. */
  renew(claims: readonly string[], lastsMs?: number): Promise<void>;
  /** Gives up claims that have no resource. */
  release(claims: readonly string[]): Promise<void>;
  /** Removes entries older than the given time. */
  sweep(olderThanMs: number): Promise<void>;
}

/** Requests of one account in one hourly window. */
interface RateCount {
  readonly accountId: string;
  readonly windowStartMs: number;
  readonly count: number;
}

export interface RateStore {
  get(accountId: string, windowStartMs: number): Promise<number>;
  /**
   * Adds to the count unless it would pass the limit (null: none), in one statement, so that several processes on one
   * database count together. `total` is what is stored then.
   */
  add(requests: RateCount, limit: number | null): Promise<{ total: number; granted: boolean }>;
  /** Drops windows that began before this time. */
  sweep(beforeMs: number): Promise<void>;
}
