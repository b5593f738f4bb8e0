import type {
  Account,
  ApiKey,
  IdempotencyEntry,
  InspectionRecord,
  ReviewRecord,
  ServiceProcess,
  Session,
  UnfinishedJob,
  UploadRecord,
  WebhookAttempt,
  WebhookEndpoint,
  WebhookMessage,
} from './ports.ts';

/** A table row; all engines have the same columns. */
type Row = Readonly<Record<string, unknown>>;

/** Fields stored as JSON. */
const JSON_FIELDS = 'permissions document meta request events answer decisions outcome'.split(' ');

/** Splits a string type at its spaces. */
type SplitWords<S extends string> = S extends `${infer Word} ${infer Rest}` ? Word | SplitWords<Rest> : S;

/**
 * Creates a reader of records: each field comes from its snake_case column (`accountId` from `account_id`), with an
 * optional prefix. Absent values become null.
 */
function makeReader<T>() {
  return <S extends string>(fields: keyof T extends SplitWords<S> ? S : never, prefix = '') => {
    const columns = fields.split(' ').map((field) => {
      const column = prefix + field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return { field, column, isJson: JSON_FIELDS.includes(field) };
    });
    return (row: Row): T =>
      Object.fromEntries(
        columns.map(({ field, column, isJson }) => {
          const value = row[column] ?? null;
          return [field, isJson && value !== null ? JSON.parse(String(value)) : value];
        }),
      ) as T;
  };
}

const ACCOUNT_FIELDS = 'id name plan status requestsPerHour concurrentRequests createdAt';

/** Converts a row to an account. */
export const toAccount = makeReader<Account>()(ACCOUNT_FIELDS);

/** Converts the `a_` columns of a joined row to its account. */
export const toJoinedAccount = makeReader<Account>()(ACCOUNT_FIELDS, 'a_');

/** Converts a row to an API key. */
export const toApiKey = makeReader<ApiKey>()(
  'id accountId environment sha256 hint name permissions createdAt expiresAt revokedAt lastUsedAt',
);

const readInspection = makeReader<InspectionRecord>()(
  'id accountId environment kind vehicleId status createdAt completedAt attempts document meta request reviewedAt tag',
);

/** Converts a row to an inspection or assessment; jobs outside the fair order have no tag. */
export function toInspection(row: Row): InspectionRecord {
  const { tag, ...record } = readInspection(row);
  return tag == null ? record : { ...record, tag };
}

/** Converts a row to a webhook endpoint. */
export const toEndpoint = makeReader<WebhookEndpoint>()(
  'id accountId environment url description events status disabledReason secret previousSecret previousSecretExpiresAtMs createdAt',
);

/** Converts a row to a webhook message. */
export const toMessage = makeReader<WebhookMessage>()(
  'id endpointId resourceId event payload createdAt status attempts nextAttemptAtMs simulate',
);

/** Converts a row to a delivery attempt. */
export const toAttempt = makeReader<WebhookAttempt>()('messageId at statusCode error durationMs');

/** Converts a row to an unfinished job. */
export const toUnfinishedJob = makeReader<UnfinishedJob>()('id accountId attempts createdAt tag');

/** Converts a row to an idempotency entry. */
export const toIdempotencyEntry = makeReader<IdempotencyEntry>()('fingerprint resourceId answer createdAtMs');

/** Converts a row to a session. */
export const toSession = makeReader<Session>()('sha256 keyId createdAtMs usedAtMs');

/** Converts a row to an upload. */
export const toUpload = makeReader<UploadRecord>()('id accountId environment sha256 createdAtMs');

/** Converts a row to a review. */
export const toReview = makeReader<ReviewRecord>()(
  'inspectionId revision reviewer decisions outcome savedAt finishedAt',
);

/** Converts a row to a process. */
export const toProcess = makeReader<ServiceProcess>()('id kind version host');
