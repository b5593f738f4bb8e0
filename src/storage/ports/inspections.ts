import type { InspectionStatus } from '../../contract/inspection.ts';
import type { Environment } from '../../domain/account.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import type { IdempotencyRef } from './requests.ts';
import type { NewWebhookMessage } from './webhooks.ts';

const INSPECTION_KINDS = ['visual', 'damage_assessment'] as const;
export type InspectionKind = (typeof INSPECTION_KINDS)[number];

/** A visual inspection or damage assessment. `document` is the response's `data` without links, `meta` its `meta`. */
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
  /** Input of the job, to run it again after a restart. */
  readonly request: unknown;
  /** Time a reviewer finished the review; null or absent until then. */
  readonly reviewedAt?: string | null;
  /** Virtual finish tag in the fair order of all accounts; null or absent if the job has none. */
  readonly tag?: number | null;
}

export interface InspectionQuery {
  readonly accountId: string;
  readonly environment: Environment;
  readonly kind?: InspectionKind;
  readonly vehicleId?: string;
  readonly status?: InspectionStatus;
  /** True for inspections whose review is finished. */
  readonly reviewed?: boolean;
  /** Inclusive. */
  readonly createdAfter?: string;
  /** Exclusive. */
  readonly createdBefore?: string;
  readonly limit: number;
  readonly offset: number;
  /** Only records after this one in list order. */
  readonly after?: ListPosition;
}

/** Position of a record in a list, newest first. */
export interface ListPosition {
  readonly createdAt: string;
  readonly id: string;
}

/** Selects records to remove; all given conditions must hold. */
export interface RemovalFilter {
  readonly before?: string;
  readonly vehicleId?: string;
  readonly id?: string;
  readonly accountId?: string;
}

/** One attempt at a job. Only the latest attempt's token can finish the job; a superseded attempt stores nothing. */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  readonly token: string;
  /** True if a child process opens the photos. */
  readonly inChild: boolean;
  /** Earlier attempts that photos may have crashed: in the service's own process, or in a child that died. */
  readonly interruptions: number;
  /** Indexes of request photos that crashed the process opening them in an earlier attempt. */
  readonly crashedPhotos: readonly number[];
  /** Index of the photo opened last before this attempt; null if unknown. */
  readonly lastOpenedPhoto: number | null;
}

/** Outcome of a job; `messages` are stored in the same transaction, so no event is lost or duplicated. */
export interface InspectionOutcome {
  readonly status: 'completed' | 'failed';
  readonly completedAt: string;
  readonly document: unknown;
  readonly meta: unknown;
  readonly messages: readonly NewWebhookMessage[];
}

/** An unfinished job, reduced to the fields that a queue needs. */
export interface UnfinishedJob {
  readonly id: string;
  readonly accountId: string;
  readonly attempts: number;
  readonly createdAt: string;
  /** Null if the job has none. */
  readonly tag: number | null;
}

/** Selects unfinished jobs. */
export interface UnfinishedJobQuery {
  /** Exclusive. */
  readonly createdBefore?: string;
  /** Only jobs that no attempt has been started at. */
  readonly isWaiting?: boolean;
  readonly limit: number;
}

/** Maximum number of ids that one call of `listPendingCleanups` returns. */
export const MAX_PENDING_CLEANUPS = 1_000;

/** Time for which a crash counts against its account, in milliseconds. */
export const CRASH_WINDOW_MS = HOUR_MS;

export interface InspectionStore {
  /**
   * Stores the record, its events, and the resource of an idempotency key in one transaction. A `parked` record stays
   * `processing` without a job. Returns the job's tag in the fair order, if the store keeps one.
   * @throws ClaimLost, UploadsUsed
   */
  create(
    record: InspectionRecord,
    options?: {
      idempotency?: IdempotencyRef;
      messages?: readonly NewWebhookMessage[];
      parked?: boolean;
      /** Ids of the uploads it uses; if two records name the same upload, only the first is stored. */
      uploads?: readonly string[];
      /** Cost of the job to its account; absent: it gets no tag. */
      cost?: number;
    },
  ): Promise<number | undefined>;
  get(id: string): Promise<InspectionRecord | undefined>;
  list(query: InspectionQuery): Promise<{ records: InspectionRecord[]; total: number; hasMore: boolean }>;
  /**
   * Finishes a record with the token of its latest attempt. Returns false and stores nothing for another token or a
   * finished record. The finished record may have leftover files.
   */
  finish(id: string, token: string, outcome: InspectionOutcome): Promise<boolean>;
  /** Returns unfinished jobs, oldest first. */
  listUnfinished(environment: Environment, query?: UnfinishedJobQuery): Promise<UnfinishedJob[]>;
  /** Counts the unfinished jobs of an account, up to `limit`. */
  countUnfinished(accountId: string, environment: Environment, limit: number): Promise<number>;
  /** Returns the ids that are not `processing`. */
  filterFinished(ids: readonly string[]): Promise<string[]>;
  /** Starts another attempt at a `processing` record, in this process or (`inChild`) in a child; undefined otherwise. */
  startAttempt(id: string, inChild?: boolean): Promise<Attempt | undefined>;
  /**
   * Returns ids of finished records whose files may need cleanup, because a process may have died between storing a
   * result and removing its inputs. At most `MAX_PENDING_CLEANUPS`, optionally only those finished before a time, epoch ms.
   */
  listPendingCleanups(beforeMs?: number): Promise<string[]>;
  /** Marks records as cleaned up: only the files named by their results remain. */
  markCleanedUp(ids: readonly string[]): Promise<void>;
  /** Records the photo that an attempt is about to open. */
  recordOpening(id: string, token: string, photo: number): Promise<void>;
  /** Records that an attempt crashed its child, and the open photo, as a crash of its account. */
  recordCrash(id: string, token: string, photo: number | undefined): Promise<void>;
  /** Counts the crashes of an account within the last hour. */
  countRecentCrashes(accountId: string): Promise<number>;
  /** Takes back the latest attempt at an unfinished job that failed for a reason outside the job. */
  revertAttempt(id: string, attempt: Pick<Attempt, 'token' | 'inChild'>): Promise<void>;
  /**
   * Removes at most `limit` records with their events and keys, and records that their files must follow; returns their
   * ids. An empty filter removes nothing.
   */
  purge(filter: RemovalFilter, limit: number): Promise<string[]>;
  /** Returns owners whose files must still be removed, or again, because an analysis was running. */
  listRemovals(): Promise<string[]>;
  /** Records that the files of these owners have been removed; those that an analysis may still add to stay listed. */
  markFilesRemoved(owners: readonly string[]): Promise<void>;
  /** Returns the ids without a record. */
  filterUnknown(ids: readonly string[]): Promise<string[]>;
  /** Returns true if the store has neither records nor accounts. */
  isUnused(): Promise<boolean>;
}
