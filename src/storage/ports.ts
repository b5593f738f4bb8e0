/** Plans of the contract ("Rate limits by plan"). */
export const PLANS = ['free', 'starter', 'professional', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** `dev_` keys belong to the sandbox, `prod_` keys to production; nothing of one is seen in the other. */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const PERMISSIONS = ['inspections:read', 'inspections:write', 'webhooks:manage'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Timestamps of every record are ISO 8601 UTC with milliseconds, so that they sort as text. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly status: 'active' | 'suspended';
  /** Overrides of the plan's limits; null = as the plan says. */
  readonly requestsPerHour: number | null;
  readonly concurrentRequests: number | null;
  readonly createdAt: string;
}

/** A key is kept as the SHA-256 of its text; `hint` is what may be shown (`dev_…ab12`). */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly sha256: string;
  readonly hint: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

export interface AccountStore {
  create(account: Account): Promise<void>;
  get(id: string): Promise<Account | undefined>;
  list(): Promise<Account[]>;
  update(
    id: string,
    change: Partial<Pick<Account, 'plan' | 'status' | 'name' | 'requestsPerHour' | 'concurrentRequests'>>,
  ): Promise<boolean>;
}

export interface KeyStore {
  create(key: ApiKey): Promise<void>;
  get(id: string): Promise<ApiKey | undefined>;
  list(accountId?: string): Promise<ApiKey[]>;
  /** The key with this SHA-256 and the account that owns it. */
  find(sha256: string): Promise<{ key: ApiKey; account: Account } | undefined>;
  revoke(id: string, at: string): Promise<boolean>;
  expire(id: string, at: string): Promise<boolean>;
  touch(id: string, at: string): Promise<void>;
}

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
  /** Counts one more attempt and tells how many there are now. */
  startAttempt(id: string): Promise<number>;
  /** Removes records with their events and keys; returns their ids. */
  purge(filter: { before?: string; vehicleId?: string; id?: string; accountId?: string }): Promise<string[]>;
}

export interface IdempotencyRef {
  readonly accountId: string;
  readonly operation: string;
  readonly key: string;
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
  /** Claims the key; when it is taken, nothing changes and the entry that holds it is returned. */
  claim(ref: IdempotencyRef, fingerprint: string, nowMs: number): Promise<IdempotencyEntry | undefined>;
  answer(ref: IdempotencyRef, answer: NonNullable<IdempotencyEntry['answer']>): Promise<void>;
  release(ref: IdempotencyRef): Promise<void>;
  /** Removes entries older than the given time, and claims without a resource, which a crash left behind. */
  sweep(olderThanMs: number, abandoned: boolean): Promise<void>;
}

/** Requests of one account in one hourly window. */
export interface RateCount {
  readonly accountId: string;
  readonly windowStartMs: number;
  readonly count: number;
}

export interface RateStore {
  get(accountId: string, windowStartMs: number): Promise<number>;
  /** Adds to what is stored, so that two processes on one database count together; drops windows before `keepFromMs`. */
  add(counts: readonly RateCount[], keepFromMs: number): Promise<void>;
}

export const WEBHOOK_EVENTS = [
  'visual_inspection.completed',
  'damage_assessment.completed',
  'visual_inspection.failed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export interface WebhookEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly url: string;
  readonly description: string;
  readonly events: readonly WebhookEvent[];
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason: string | null;
  /** `whsec_` + base64; the previous one signs too until it expires (rotation). */
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousSecretExpiresAtMs: number | null;
  readonly createdAt: string;
}

export interface NewWebhookMessage {
  readonly id: string;
  readonly endpointId: string;
  readonly event: string;
  /** The exact body that is signed and sent at every attempt. */
  readonly payload: string;
  readonly createdAt: string;
  readonly nextAttemptAtMs: number;
  /** Sandbox only: a failure to play at the first attempt. */
  readonly simulate: string | null;
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

export interface WebhookStore {
  createEndpoint(endpoint: WebhookEndpoint): Promise<void>;
  getEndpoint(id: string): Promise<WebhookEndpoint | undefined>;
  listEndpoints(accountId?: string, environment?: Environment): Promise<WebhookEndpoint[]>;
  updateEndpoint(
    id: string,
    change: Partial<
      Pick<
        WebhookEndpoint,
        | 'url'
        | 'description'
        | 'events'
        | 'status'
        | 'disabledReason'
        | 'secret'
        | 'previousSecret'
        | 'previousSecretExpiresAtMs'
      >
    >,
  ): Promise<boolean>;
  deleteEndpoint(id: string): Promise<boolean>;
  enqueue(messages: readonly NewWebhookMessage[]): Promise<void>;
  getMessage(id: string): Promise<WebhookMessage | undefined>;
  listMessages(
    endpointId: string,
    limit: number,
    offset: number,
  ): Promise<{ messages: WebhookMessage[]; total: number }>;
  attempts(messageId: string): Promise<WebhookAttempt[]>;
  /** Pending messages due at `nowMs`, at most `perEndpoint` of each endpoint, oldest first; and when the next is due. */
  due(
    environment: Environment,
    nowMs: number,
    perEndpoint: number,
  ): Promise<{ messages: WebhookMessage[]; nextAtMs: number | null }>;
  /** Logs an attempt and what comes of it, in one transaction. */
  recordAttempt(
    attempt: WebhookAttempt,
    then: { status: WebhookMessage['status']; nextAttemptAtMs: number },
  ): Promise<void>;
  /** Puts a message back at the head of the queue, with a fresh count of attempts. */
  replay(id: string, nowMs: number): Promise<boolean>;
}

/** Files of an inspection: photos, reports, annotated images. Names are ours, never a caller's. */
export interface BlobStore {
  put(owner: string, name: string, bytes: Uint8Array): Promise<void>;
  get(owner: string, name: string): Promise<Uint8Array | undefined>;
  list(owner: string): Promise<string[]>;
  owners(): Promise<string[]>;
  remove(owner: string, name?: string): Promise<void>;
}

/** Everything the service remembers. */
export interface Store {
  readonly accounts: AccountStore;
  readonly keys: KeyStore;
  readonly inspections: InspectionStore;
  readonly idempotency: IdempotencyStore;
  readonly rates: RateStore;
  readonly webhooks: WebhookStore;
  readonly blobs: BlobStore;
  /** A secret made once per store and kept, such as the one that signs file links. */
  secret(name: string): Promise<string>;
  /** Throws when the store cannot answer. */
  ping(): Promise<void>;
  /** A consistent copy of the database into a new file. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
