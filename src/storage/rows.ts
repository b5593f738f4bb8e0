import type {
  Account,
  ApiKey,
  IdempotencyEntry,
  InspectionRecord,
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

/** Fields that are stored as JSON. */
const JSON_FIELDS = 'permissions document meta request events answer decisions outcome'.split(' ');

/** The words of a text. */
type WordsOf<S extends string> = S extends `${infer Word} ${infer Rest}` ? Word | WordsOf<Rest> : S;

/**
 * Returns what reads a record from a row: all its fields, each from the column of its name (`accountId` from
 * `account_id`, behind a prefix where one is given). What is absent is null.
 */
function makeReader<T>() {
  return <S extends string>(fields: keyof T extends WordsOf<S> ? S : never, prefix = '') => {
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

const ACCOUNT = 'id name plan status requestsPerHour concurrentRequests createdAt';

/** Reads the account of a row. */
export const toAccount = makeReader<Account>()(ACCOUNT);

/** Reads the account that a row has next to something else, in columns that begin with `a_`. */
export const toOwner = makeReader<Account>()(ACCOUNT, 'a_');

/** Reads the API key of a row. */
export const toApiKey = makeReader<ApiKey>()(
  'id accountId environment sha256 hint name permissions createdAt expiresAt revokedAt lastUsedAt',
);

const readInspection = makeReader<InspectionRecord>()(
  'id accountId environment kind vehicleId status createdAt completedAt attempts document meta request reviewedAt tag',
);

/** Reads the inspection or assessment of a row; work without a place has no tag. */
export function toInspection(row: Row): InspectionRecord {
  const { tag, ...record } = readInspection(row);
  return tag == null ? record : { ...record, tag };
}

/** Reads the webhook endpoint of a row. */
export const toEndpoint = makeReader<WebhookEndpoint>()(
  'id accountId environment url description events status disabledReason secret previousSecret previousSecretExpiresAtMs createdAt',
);

/** Reads the webhook message of a row. */
export const toMessage = makeReader<WebhookMessage>()(
  'id endpointId resourceId event payload createdAt status attempts nextAttemptAtMs simulate',
);

/** Reads the delivery attempt of a row. */
export const toAttempt = makeReader<WebhookAttempt>()('messageId at statusCode error durationMs');

/** Reads the unfinished work of a row. */
export const toUnfinished = makeReader<UnfinishedWork>()('id accountId attempts createdAt tag');

/** Reads the entry of an idempotency key of a row. */
export const toEntry = makeReader<IdempotencyEntry>()('fingerprint resourceId answer createdAtMs');

/** Reads the session of a row. */
export const toSession = makeReader<Session>()('sha256 keyId createdAtMs usedAtMs');

/** Reads the upload of a row. */
export const toUpload = makeReader<UploadRecord>()('id accountId environment sha256 createdAtMs');

/** Reads the review of a row. */
export const toReview = makeReader<ReviewRecord>()(
  'inspectionId revision reviewer decisions outcome savedAt finishedAt',
);

/** Reads the usage of one day of a row. */
export const toUsageDay = makeReader<UsageDay>()('day inspections photos failed assessments');

/** Reads the process of a row. */
export const toProcess = makeReader<ServiceProcess>()('id kind version host');
