import type { Environment, InspectionStatus } from '../../domain/choices.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import type { PlaceInOrder } from './order.ts';
import type { IdempotencyRef } from './requests.ts';
import type { NewWebhookMessage } from './webhooks.ts';

export const INSPECTION_KINDS = ['visual', 'damage_assessment'] as const;
export type InspectionKind = (typeof INSPECTION_KINDS)[number];

/** One visual inspection or damage assessment. `document` is the wire's `data`, without links; `meta` its `meta`. */
export interface InspectionRecord {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly kind: InspectionKind;
  readonly vehicleId: string;
  readonly status: InspectionStatus;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly attempts: number;
  readonly document: unknown;
  readonly meta: unknown;
  /** What the work needs to be done again after a restart. */
  readonly request: unknown;
  /** When a person finished reviewing it; absent or null until then. */
  readonly reviewedAt?: string | null;
  /** Its place among the work of all accounts; absent or null where work has none. */
  readonly tag?: number | null;
}

export interface InspectionQuery {
  readonly accountId: string;
  readonly environment: Environment;
  readonly kind?: InspectionKind;
  readonly vehicleId?: string;
  readonly status?: InspectionStatus;
  /** Whether a person has finished reviewing it. */
  readonly reviewed?: boolean;
  /** Inclusive. */
  readonly createdAfter?: string;
  /** Exclusive. */
  readonly createdBefore?: string;
  readonly limit: number;
  readonly offset: number;
  /** Only what comes after this record in the order of the list. */
  readonly after?: ListPosition;
}

/** Where a record stands in a list, newest first. */
export interface ListPosition {
  readonly createdAt: string;
  readonly id: string;
}

/** Which records to remove; all that are given must hold. */
export interface RemovalFilter {
  readonly before?: string;
  readonly vehicleId?: string;
  readonly id?: string;
  readonly accountId?: string;
}

/**
 * One try at a piece of work. Only the token of the last one ends the work: a try that was overtaken stores nothing.
 */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  readonly token: string;
  /** It opens photos in a child process. */
  readonly apart: boolean;
  /** Earlier attempts that its photos may have ended: those in a service's own process, and those whose child died. */
  readonly cutOff: number;
  /** Photos that ended the process of an earlier attempt when they were opened; by index of the request. */
  readonly crashing: readonly number[];
  /** The photo that was opened last before this attempt; null where that is not known. */
  readonly atPhoto: number | null;
}

/** How a piece of work ended; `messages` are stored in the same transaction, so that no event is lost or doubled. */
export interface InspectionOutcome {
  readonly status: 'completed' | 'failed';
  readonly completedAt: string;
  readonly document: unknown;
  readonly meta: unknown;
  readonly messages: readonly NewWebhookMessage[];
}

/** Work to do, as far as a queue needs to know it. */
export interface UnfinishedWork {
  readonly id: string;
  readonly accountId: string;
  readonly attempts: number;
  readonly createdAt: string;
  /** Null where work has none. */
  readonly tag: number | null;
}

/** A page of unfinished work. */
export interface UnfinishedPage {
  /** Inclusive. */
  readonly createdAfter?: string;
  /** Exclusive. */
  readonly createdBefore?: string;
  /** Only what comes after this one. */
  readonly after?: ListPosition;
  readonly limit: number;
}

/** Maximum number of ids that one call of `listUntidied` returns. */
export const UNTIDIED_MAX = 1_000;

/** Time for which a crash counts against its account. */
export const CRASH_COUNTS_MS = HOUR_MS;

export interface InspectionStore {
  /**
   * Stores the record, its events, and the resource behind an idempotency key, all or nothing. A `parked` record stays
   * `processing` without any work. Returns the place of work in the order of all accounts, in a store that keeps one.
   * @throws ClaimLost, UploadsUsed
   */
  create(
    record: InspectionRecord,
    more?: {
      idempotency?: IdempotencyRef;
      messages?: readonly NewWebhookMessage[];
      parked?: boolean;
      /** Ids of uploads that it uses: of two records that name one, the first is stored. */
      uploads?: readonly string[];
      /** What the work costs its account, where it is to have a tag. */
      cost?: number;
    },
  ): Promise<PlaceInOrder | undefined>;
  get(id: string): Promise<InspectionRecord | undefined>;
  list(query: InspectionQuery): Promise<{ records: InspectionRecord[]; total: number; hasMore: boolean }>;
  /**
   * Ends a record under the token of its last attempt; false (and nothing stored) under any other, or once it has
   * ended. From then on it may have leftovers.
   */
  finish(id: string, token: string, outcome: InspectionOutcome): Promise<boolean>;
  /** Unfinished work, oldest first, or a page of it. */
  unfinished(environment: Environment, page?: UnfinishedPage): Promise<UnfinishedWork[]>;
  /** Those of the ids that are not `processing`. */
  ended(ids: readonly string[]): Promise<string[]>;
  /** Counts one more attempt at a `processing` record, here or `apart` in a child; undefined for any other. */
  startAttempt(id: string, apart?: boolean): Promise<Attempt | undefined>;
  /**
   * Returns ids of ended records whose files may not have been cleaned up yet: a process may have died between storing
   * a result and removing its inputs. At most `UNTIDIED_MAX`, of all or of those that ended before a time, epoch ms.
   */
  listUntidied(beforeMs?: number): Promise<string[]>;
  /** Marks records as cleaned up: only the files that their results name remain. */
  markTidied(ids: readonly string[]): Promise<void>;
  /** Notes the photo that an attempt is about to open. */
  opening(id: string, token: string, photo: number): Promise<void>;
  /** Notes that an attempt ended its child, and with which photo open: a crash of its account. */
  crashed(id: string, token: string, photo: number | undefined): Promise<void>;
  /** Crashes of an account within the last hour. */
  recentCrashes(accountId: string): Promise<number>;
  /** Takes back the last attempt at unfinished work, which failed for a reason that lies outside of it. */
  giveBackAttempt(id: string, attempt: Pick<Attempt, 'token' | 'apart'>): Promise<void>;
  /**
   * Removes at most `limit` records with their events and keys, and notes that their files are to follow; returns their
   * ids. Nothing for an empty filter.
   */
  purge(filter: RemovalFilter, limit: number): Promise<string[]>;
  /** Owners whose files are still to be removed. */
  removals(): Promise<string[]>;
  /** The files of these owners are gone. */
  filesRemoved(owners: readonly string[]): Promise<void>;
  /** Those of the ids that no record has. */
  unknown(ids: readonly string[]): Promise<string[]>;
  /** True when no record and no account was ever stored. */
  neverUsed(): Promise<boolean>;
}
