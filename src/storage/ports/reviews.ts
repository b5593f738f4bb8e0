import type { NewWebhookMessage } from './webhooks.ts';

/** What a person has decided on an inspection, and what comes of it. */
export interface ReviewRecord {
  readonly inspectionId: string;
  /** Counts the changes, from 1. */
  readonly revision: number;
  readonly reviewer: string;
  readonly decisions: readonly unknown[];
  /** The wire's `results` and `review`, without links. */
  readonly outcome: unknown;
  readonly savedAt: string;
  /** Null while the review is open; a change opens it again. */
  readonly finishedAt: string | null;
}

export interface ReviewStore {
  get(inspectionId: string): Promise<ReviewRecord | undefined>;
  /** Stores a change as the next revision; false (and nothing stored) where `revision` is not the last one (0: none). */
  save(review: Omit<ReviewRecord, 'finishedAt'>): Promise<boolean>;
  /** Ends a review with its events; false (and nothing stored) where `revision` is not the last one or it has ended. */
  finish(
    inspectionId: string,
    revision: number,
    at: string,
    messages: readonly NewWebhookMessage[],
  ): Promise<boolean>;
  /** Notes that views of the photos of an inspection are kept since a time; false where the inspection was removed. */
  keepViews(inspectionId: string, atMs: number): Promise<boolean>;
  /** Inspections whose views were made before a time. */
  viewsBefore(ms: number): Promise<string[]>;
  forgetViews(inspectionIds: readonly string[]): Promise<void>;
}
