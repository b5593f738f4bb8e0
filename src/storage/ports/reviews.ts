import type { NewWebhookMessage } from './webhooks.ts';

/** Decisions of a reviewer on an inspection and their outcome. */
export interface ReviewRecord {
  readonly inspectionId: string;
  /** Counts the changes, from 1. */
  readonly revision: number;
  readonly reviewer: string;
  readonly decisions: readonly unknown[];
  /** The response's `results` and `review`, without links. */
  readonly outcome: unknown;
  readonly savedAt: string;
  /** Null while the review is open; a change reopens it. */
  readonly finishedAt: string | null;
}

export interface ReviewStore {
  get(inspectionId: string): Promise<ReviewRecord | undefined>;
  /** Stores a change as the next revision; false, storing nothing, if it does not follow the latest one (0: none). */
  save(review: Omit<ReviewRecord, 'finishedAt'>): Promise<boolean>;
  /** Finishes a review with its events; false, storing nothing, if `revision` is not the latest or already finished. */
  finish(
    inspectionId: string,
    revision: number,
    finishedAt: string,
    messages: readonly NewWebhookMessage[],
  ): Promise<boolean>;
  /** Records that views of an inspection's photos are stored; false if the inspection was removed. */
  recordViews(inspectionId: string, atMs: number): Promise<boolean>;
  /** Returns inspections whose views were created before a time. */
  listViewsBefore(beforeMs: number): Promise<string[]>;
  deleteViews(inspectionIds: readonly string[]): Promise<void>;
}
