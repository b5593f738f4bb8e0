import type { InspectionStatus } from '../contract/inspection.ts';
import type { ACCOUNT_STATUSES, Environment, Permission, Plan, WebhookEvent } from '../domain/account.ts';

/** An account of the service. Times are ISO 8601, UTC, with milliseconds, so they sort as text. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly status: (typeof ACCOUNT_STATUSES)[number];
  /** Override of the plan's limit; null uses the plan's. */
  readonly requestsPerHour: number | null;
  readonly concurrentRequests: number | null;
  readonly createdAt: string;
}

/** Scope of a record: one account in one environment. */
export interface Scoped {
  readonly accountId: string;
  readonly environment: Environment;
}

/** An API key, stored as the SHA-256 of its text; `hint` is the displayable part (`dev_…ab12`). */
export interface ApiKey extends Scoped {
  readonly id: string;
  readonly sha256: string;
  readonly hint: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Time at which a rotation gave the key a successor; it then expires after a grace period. */
  readonly replacedAt: string | null;
  readonly lastUsedAt: string | null;
}

/** A signed-in browser session; its token is stored as SHA-256. */
export interface Session {
  readonly sha256: string;
  readonly keyId: string;
  readonly createdAtMs: number;
  readonly usedAtMs: number;
}

export const INSPECTION_KINDS = ['visual', 'damage_assessment'] as const;
export type InspectionKind = (typeof INSPECTION_KINDS)[number];

/** A visual inspection or damage assessment. `document` is the response's `data` without links, `meta` its `meta`. */
export interface InspectionRecord extends Scoped {
  readonly id: string;
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
}

export interface InspectionQuery extends Scoped {
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
export type ListPosition = Pick<InspectionRecord, 'createdAt' | 'id'>;

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
  /** Number of earlier attempts that a photo may have crashed, in the service's own process or in a child that died. */
  readonly interruptions: number;
  /** Indexes of request photos that crashed the process opening them in an earlier attempt. */
  readonly crashedPhotos: readonly number[];
  /** Index of the last photo opened before this attempt; null if unknown. */
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

/** An unfinished job, with only the fields that a queue needs. */
export type UnfinishedJob = Pick<InspectionRecord, 'id' | 'accountId' | 'attempts' | 'createdAt'> & {
  /** Virtual finish tag in the fair order of all accounts; null if the job has none. */
  readonly tag: number | null;
};

export interface IdempotencyRef extends Scoped {
  readonly operation: string;
  readonly key: string;
  /** Random, per request. */
  readonly claim: string;
}

/** Time after which a claim that is not renewed expires. */
export const CLAIM_TTL_MS = 15_000;

/** Thrown if a storage server is unreachable, starting, stopping or out of resources; a later retry may succeed. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
}

/** Thrown if a store refuses a call, of which it keeps nothing: it is full, locked, or its file was replaced. */
export class StoreRefusedError extends Error {
  override readonly name = 'StoreRefusedError';
  readonly reason: 'full' | 'locked' | 'replaced';

  constructor(reason: StoreRefusedError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Thrown when creating a resource whose key another request has claimed, after this request was considered dead. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

export interface IdempotencyEntry {
  readonly fingerprint: string;
  readonly resourceId: string | null;
  /** Response to replay; null while the first request is in progress, or if it died before responding. */
  readonly answer: StoredResponse | null;
}

export interface StoredResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** An account's hour in one environment, whose requests are counted. */
export interface RateWindow extends Scoped {
  readonly windowStartMs: number;
}

/** Decisions of a reviewer on an inspection and their outcome. */
export interface ReviewRecord {
  readonly inspectionId: string;
  /** Counts the changes; 0 before the first. */
  readonly revision: number;
  readonly reviewer: string;
  readonly decisions: readonly unknown[];
  /** The response's `results` and `review`, without links. */
  readonly outcome: unknown;
  /** Null before the first change. */
  readonly savedAt: string | null;
  /** Null while the review is open; a change reopens it. */
  readonly finishedAt: string | null;
}

export type SavedReview = ReviewRecord & { readonly savedAt: string };

/** A photo uploaded ahead of its inspection; its bytes are the file `photo` of the owner with this id. */
export interface UploadRecord extends Scoped {
  readonly id: string;
  readonly sha256: string;
  readonly createdAtMs: number;
}

export interface WebhookEndpoint extends Scoped {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly events: readonly WebhookEvent[];
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason: string | null;
  /** `whsec_` + base64; during a rotation, the previous one also signs until it expires. */
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousSecretExpiresAtMs: number | null;
  readonly createdAt: string;
}

export interface NewWebhookMessage {
  readonly id: string;
  readonly endpointId: string;
  /** Inspection or assessment of the event. */
  readonly resourceId: string;
  readonly event: string;
  /** Body of every attempt; only its link to a report changes, once that link expires. */
  readonly payload: string;
  readonly createdAt: string;
  readonly nextAttemptAtMs: number;
}

export interface WebhookMessage extends NewWebhookMessage {
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
}

export interface WebhookAttempt {
  readonly messageId: string;
  readonly at: string;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

export interface ServiceProcess {
  /** Random, per run of the process. */
  readonly id: string;
  readonly kind: 'serve' | 'work';
  readonly version: string;
  readonly host: string;
}

/** Registry of live processes, used to find what a dead one still holds, and their leases. */
export interface ProcessStore {
  /** Registers a process. In a single-process store, it replaces all others. */
  register(process: ServiceProcess): Promise<void>;
  /** Records a heartbeat of the process; to be called every `HEARTBEAT_INTERVAL_MS`. */
  heartbeat(process: ServiceProcess): Promise<void>;
  unregister(id: string): Promise<void>;
  listLive(): Promise<ServiceProcess[]>;
  /** Acquires or renews the lease for a task that one process performs for all; false while another one holds it. */
  acquireLease(name: string, holder: string, ttlMs: number): Promise<boolean>;
}

/** Requests in progress, over all processes that share a store. */
export interface RequestSlots {
  /** Returns what frees the slot taken, to be called once; undefined if live processes hold `limit` of the account's. */
  take(request: Scoped & { readonly processId: string }, limit: number): Promise<(() => void) | undefined>;
}

/** Heartbeat interval, and the silence after which a process counts as dead. */
export const HEARTBEAT_INTERVAL_MS = 10_000;
export const HEARTBEAT_TIMEOUT_MS = 30_000;
