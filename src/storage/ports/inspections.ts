import type { Environment } from './accounts.ts';
import type { IdempotencyRef } from './requests.ts';
import type { NewWebhookMessage } from './webhooks.ts';

export const INSPECTION_KINDS = ['visual', 'damage_assessment'] as const;
export type InspectionKind = (typeof INSPECTION_KINDS)[number];
export type InspectionStatus = 'processing' | 'completed' | 'failed';

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
}

export interface InspectionQuery {
  readonly accountId: string;
  readonly environment: Environment;
  readonly kind?: InspectionKind;
  readonly vehicleId?: string;
  readonly status?: InspectionStatus;
  /** Inclusive. */
  readonly createdAfter?: string;
  /** Exclusive. */
  readonly createdBefore?: string;
  readonly limit: number;
  readonly offset: number;
}

/** How a piece of work ended; `messages` are stored in the same transaction, so that no event is lost or doubled. */
export interface InspectionOutcome {
  readonly status: 'completed' | 'failed';
  readonly completedAt: string;
  readonly document: unknown;
  readonly meta: unknown;
  readonly messages: readonly NewWebhookMessage[];
}

export interface InspectionStore {
  /** Stores the record, its events, and the resource behind an idempotency key, all or nothing. */
  create(
    record: InspectionRecord,
    more?: { idempotency?: IdempotencyRef; messages?: readonly NewWebhookMessage[] },
  ): Promise<void>;
  get(id: string): Promise<InspectionRecord | undefined>;
  list(query: InspectionQuery): Promise<{ records: InspectionRecord[]; total: number }>;
  /** Ends a `processing` record; false (and nothing stored) when it is not `processing` any more. */
  finish(id: string, outcome: InspectionOutcome): Promise<boolean>;
  /** Unfinished work, oldest first. */
  unfinished(environment: Environment): Promise<{ id: string; attempts: number }[]>;
  /** Counts one more attempt and returns how many there are now. */
  startAttempt(id: string): Promise<number>;
  /** Removes records with their events and keys; returns their ids. */
  purge(filter: { before?: string; vehicleId?: string; id?: string; accountId?: string }): Promise<string[]>;
}
