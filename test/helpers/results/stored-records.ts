import type {
  Account,
  ApiKey,
  InspectionRecord,
  NewWebhookMessage,
  Store,
  WebhookEndpoint,
} from '../../../src/storage/ports.ts';

/** What stores keep, as tests of them need it: one of each kind, with the fields that matter replaced. */
export const account = (id: string): Account => ({
  id,
  name: 'Test',
  plan: 'starter',
  status: 'active',
  requestsPerHour: null,
  concurrentRequests: null,
  createdAt: '2026-01-01T00:00:00.000Z',
});
export const key = (id: string, accountId: string): ApiKey => ({
  id,
  accountId,
  environment: 'sandbox',
  sha256: `hash of ${id}`,
  hint: 'dev_…abcd',
  name: '',
  permissions: ['inspections:read'],
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  revokedAt: null,
  replacedAt: null,
  lastUsedAt: null,
});

/** Statements that store keys in a database of schema version 2: one that never ends, one of 90 days, one replaced. */
export const OLD_KEYS = [
  "INSERT INTO accounts VALUES ('acc_1', '', 'free', 'active', NULL, NULL, '2026-01-01T00:00:00.000Z')",
  ...['NULL', "'2026-04-01T09:30:00.123Z'", "'2026-01-02T09:30:00.124Z'"].map(
    (
      expiresAt,
      i,
    ) => `INSERT INTO api_keys VALUES ('key_${i + 1}', 'acc_1', 'sandbox', 'hash ${i}', '', '', '[]',
      '2026-01-01T09:30:00.123Z', ${expiresAt}, NULL, NULL)`,
  ),
];
/** Ids of the keys that were replaced. */
export const listReplaced = async ({ keys }: Pick<Store, 'keys'>) =>
  (await keys.list()).filter(({ replacedAt }) => replacedAt !== null).map(({ id }) => id);

export const inspection = (id: string, more: Partial<InspectionRecord> = {}): InspectionRecord => ({
  id,
  accountId: 'acc_1',
  environment: 'sandbox',
  kind: 'visual',
  vehicleId: 'veh_1',
  status: 'processing',
  createdAt: '2026-01-01T00:00:00.000Z',
  completedAt: null,
  attempts: 0,
  document: { a: 1 },
  meta: { b: 2 },
  request: { c: 3 },
  ...more,
});
export const endpoint: WebhookEndpoint = {
  id: 'whe_1',
  accountId: 'acc_1',
  environment: 'sandbox',
  url: 'https://example.com/hook',
  description: '',
  events: ['visual_inspection.completed'],
  status: 'enabled',
  disabledReason: null,
  secret: 'whsec_AAAA',
  previousSecret: null,
  previousSecretExpiresAtMs: null,
  createdAt: '2026-01-01T00:00:00.000Z',
};
export const message = (id: string, nextAttemptAtMs = 10, resourceId = 'vis_0'): NewWebhookMessage => ({
  id,
  endpointId: 'whe_1',
  resourceId,
  event: 'visual_inspection.completed',
  payload: '{}',
  createdAt: '2026-01-01T00:00:00.000Z',
  nextAttemptAtMs,
});

/** Stores messages with a record that has ended, as the events of one are. */
export const storeMessages = ({ inspections }: Store, messages: readonly NewWebhookMessage[]) =>
  inspections.create(inspection(`vis_of_${messages[0]?.id}`, { status: 'completed' }), { messages });
