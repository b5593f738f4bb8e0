import type {
  Account,
  ApiKey,
  IdempotencyEntry,
  InspectionRecord,
  PendingPage,
  ReviewRecord,
  ServiceProcess,
  Session,
  UnfinishedWork,
  UploadRecord,
  UsageDay,
  WebhookAttempt,
  WebhookEndpoint,
  WebhookMessage,
} from './ports.ts';

/** A row of a table, which has the same columns in every engine. */
type Row = Readonly<Record<string, unknown>>;

/** Returns the account of a row. */
export function toAccount(row: Row, prefix = ''): Account {
  return {
    id: row[`${prefix}id`] as string,
    name: row[`${prefix}name`] as string,
    plan: row[`${prefix}plan`] as Account['plan'],
    status: row[`${prefix}status`] as Account['status'],
    requestsPerHour: row[`${prefix}requests_per_hour`] as number | null,
    concurrentRequests: row[`${prefix}concurrent_requests`] as number | null,
    createdAt: row[`${prefix}created_at`] as string,
  };
}

/** Returns the API key of a row. */
export function toApiKey(row: Row): ApiKey {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    environment: row.environment as ApiKey['environment'],
    sha256: row.sha256 as string,
    hint: row.hint as string,
    name: row.name as string,
    permissions: JSON.parse(row.permissions as string),
    createdAt: row.created_at as string,
    expiresAt: row.expires_at as string | null,
    revokedAt: row.revoked_at as string | null,
    lastUsedAt: row.last_used_at as string | null,
  };
}

/** Returns the inspection or assessment of a row. */
export function toInspection(row: Row): InspectionRecord {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    environment: row.environment as InspectionRecord['environment'],
    kind: row.kind as InspectionRecord['kind'],
    vehicleId: row.vehicle_id as string,
    status: row.status as InspectionRecord['status'],
    createdAt: row.created_at as string,
    completedAt: row.completed_at as string | null,
    attempts: row.attempts as number,
    document: JSON.parse(row.document as string),
    meta: JSON.parse(row.meta as string),
    request: JSON.parse(row.request as string),
    reviewedAt: row.reviewed_at as string | null,
    ...(row.tag == null ? {} : { tag: row.tag as number }),
  };
}

/** Returns the webhook endpoint of a row. */
export function toEndpoint(row: Row): WebhookEndpoint {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    environment: row.environment as WebhookEndpoint['environment'],
    url: row.url as string,
    description: row.description as string,
    events: JSON.parse(row.events as string),
    status: row.status as WebhookEndpoint['status'],
    disabledReason: row.disabled_reason as string | null,
    secret: row.secret as string,
    previousSecret: row.previous_secret as string | null,
    previousSecretExpiresAtMs: row.previous_secret_expires_at_ms as number | null,
    createdAt: row.created_at as string,
  };
}

/** Returns the webhook message of a row. */
export function toMessage(row: Row): WebhookMessage {
  return {
    id: row.id as string,
    endpointId: row.endpoint_id as string,
    resourceId: row.resource_id as string | null,
    event: row.event as string,
    payload: row.payload as string,
    createdAt: row.created_at as string,
    status: row.status as WebhookMessage['status'],
    attempts: row.attempts as number,
    nextAttemptAtMs: row.next_attempt_at_ms as number,
    simulate: row.simulate as string | null,
  };
}

/**
 * Reads a page of pending messages: environment, endpoint, times of creation, the position of the last one, and the
 * limit.
 */
export const PENDING_PAGE = `SELECT m.* FROM webhook_messages m JOIN webhook_endpoints e ON e.id = m.endpoint_id
  WHERE m.status = 'pending' AND e.status = 'enabled' AND e.environment = ? AND m.endpoint_id = coalesce(?, m.endpoint_id)
    AND m.created_at >= ? AND m.created_at < ? AND (m.endpoint_id, m.next_attempt_at_ms, m.id) > (?, ?, ?)
  ORDER BY m.endpoint_id, m.next_attempt_at_ms, m.id LIMIT ?`;

/** Returns the parameters of `PENDING_PAGE`. */
export function pendingParameters(environment: string, page: PendingPage): (string | number | null)[] {
  const { endpointId = null, createdAfter = '', createdBefore = '~', after, limit } = page;
  const position = [after?.endpointId ?? '', after?.nextAttemptAtMs ?? -1, after?.id ?? ''];
  return [environment, endpointId, createdAfter, createdBefore, ...position, limit];
}

/** Returns the delivery attempt of a row. */
export function toAttempt(row: Row): WebhookAttempt {
  return {
    messageId: row.message_id as string,
    at: row.at as string,
    statusCode: row.status_code as number | null,
    error: row.error as string | null,
    durationMs: row.duration_ms as number,
  };
}

/** Returns the unfinished work of a row. */
export function toUnfinished(row: Row): UnfinishedWork {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    attempts: row.attempts as number,
    createdAt: row.created_at as string,
    tag: (row.tag as number | null | undefined) ?? null,
  };
}

/** Returns the entry of an idempotency key of a row. */
export function toEntry(row: Row): IdempotencyEntry {
  return {
    fingerprint: row.fingerprint as string,
    resourceId: row.resource_id as string | null,
    answer: row.answer === null ? null : JSON.parse(row.answer as string),
    createdAtMs: row.created_at_ms as number,
  };
}

/** Returns the session of a row. */
export function toSession(row: Row): Session {
  return {
    sha256: row.sha256 as string,
    keyId: row.key_id as string,
    createdAtMs: row.created_at_ms as number,
    usedAtMs: row.used_at_ms as number,
  };
}

/** Returns the upload of a row. */
export function toUpload(row: Row): UploadRecord {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    environment: row.environment as UploadRecord['environment'],
    sha256: row.sha256 as string,
    createdAtMs: row.created_at_ms as number,
    announcedBytes: row.announced_bytes as number | null,
  };
}

/** Returns the review of a row. */
export function toReview(row: Row): ReviewRecord {
  return {
    inspectionId: row.inspection_id as string,
    revision: row.revision as number,
    reviewer: row.reviewer as string,
    decisions: JSON.parse(row.decisions as string),
    outcome: JSON.parse(row.outcome as string),
    savedAt: row.saved_at as string,
    finishedAt: row.finished_at as string | null,
  };
}

/** Returns the usage of one day of a row. */
export function toUsageDay(row: Row): UsageDay {
  return {
    day: row.day as string,
    inspections: row.inspections as number,
    photos: row.photos as number,
    failed: row.failed as number,
    assessments: row.assessments as number,
  };
}

/** Returns the process of a row. */
export function toProcess(row: Row): ServiceProcess {
  return {
    id: row.id as string,
    kind: row.kind as ServiceProcess['kind'],
    version: row.version as string,
    host: row.host as string,
  };
}
