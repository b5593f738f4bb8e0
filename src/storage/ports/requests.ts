import type { Environment } from '../../domain/account.ts';

export interface IdempotencyRef {
  readonly accountId: string;
  readonly environment: Environment;
  readonly operation: string;
  readonly key: string;
  /** Random, per request. */
  readonly claim: string;
}

/** Time after which a claim that is not renewed expires. */
export const CLAIM_TTL_MS = 15_000;

/** Thrown when creating a resource whose key another request has claimed, because this one was considered dead. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

export interface IdempotencyEntry {
  readonly fingerprint: string;
  readonly resourceId: string | null;
  /** Response to replay; null while the first request is in progress, or if it died before responding. */
  readonly answer: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: string;
  } | null;
  readonly createdAtMs: number;
}

export interface IdempotencyStore {
  /**
   * Claims the key. If it is taken, changes nothing and returns the existing entry. A claim without resource or
   * response expires `CLAIM_TTL_MS` after its creation or renewal; entries created at `expiredMs` or earlier are ignored.
   */
  claim(
    ref: IdempotencyRef,
    fingerprint: string,
    nowMs: number,
    expiredMs?: number,
  ): Promise<IdempotencyEntry | undefined>;
  saveResponse(ref: IdempotencyRef, answer: NonNullable<IdempotencyEntry['answer']>): Promise<void>;
  /** Extends claims that have no resource yet, from now. */
  renew(claims: readonly string[], ttlMs?: number): Promise<void>;
  /** Releases claims that have no resource. */
  release(claims: readonly string[]): Promise<void>;
  /** Removes entries older than the given time. */
  sweep(olderThanMs: number): Promise<void>;
}

/** Requests of one account in one environment and hourly window. */
interface RateCount {
  readonly accountId: string;
  readonly environment: Environment;
  readonly windowStartMs: number;
  readonly count: number;
}

export interface RateStore {
  get(window: Omit<RateCount, 'count'>): Promise<number>;
  /**
   * Adds to the count unless that would exceed the limit (null: none), atomically in one statement, so processes that
   * share a database count together. `total` is the stored count afterwards.
   */
  add(requests: RateCount, limit: number | null): Promise<{ total: number; granted: boolean }>;
  /** Removes windows that began before this time. */
  sweep(beforeMs: number): Promise<void>;
}

/** Requests that are being answered, over all processes that share a store. */
export interface RequestSlots {
  /** Takes a slot of the account in this environment; undefined if live processes hold `limit` of them. */
  take(
    request: { readonly accountId: string; readonly environment: Environment; readonly processId: string },
    limit: number,
  ): Promise<string | undefined>;
  free(id: string): Promise<void>;
}
