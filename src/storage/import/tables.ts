import type { Row } from '../sqlite/database.ts';

/** A table of a data directory that is moved as it is, or nearly so. */
export interface MovedTable {
  readonly name: string;
  /** Columns of its primary key. */
  readonly key: readonly string[];
  /** All columns in PostgreSQL that are filled. */
  readonly columns: readonly string[];
  /** Columns that a row of the same key must agree in to be the same: ids of two sandboxes may be equal. */
  readonly same: readonly string[];
  /** Which rows are moved, as SQLite asks for them. */
  readonly where?: string;
  /** A row as PostgreSQL has it, where that differs. */
  readonly shape?: (row: Row) => Readonly<Record<string, unknown>>;
  /** The column that names whose files go with a row. */
  readonly owner?: string;
}

interface Request {
  readonly images?: unknown;
  readonly simulate?: { readonly outcome?: string };
}

function shapeInspection(row: Row): Readonly<Record<string, unknown>> {
  const request = JSON.parse(String(row.request)) as Request | null;
  return {
    ...row,
    // Whoever worked on it has ended.
    token: null,
    photos: Array.isArray(request?.images) ? request.images.length : 0,
    parked: request?.simulate?.outcome === 'processing',
    skip_photos: JSON.parse(String(row.skip_photos)),
  };
}

/** In the order in which rows name each other. Counts of inspections follow by themselves. */
export const MOVED_TABLES: readonly MovedTable[] = [
  {
    name: 'accounts',
    key: ['id'],
    columns: ['id', 'name', 'plan', 'status', 'requests_per_hour', 'concurrent_requests', 'created_at'],
    same: ['created_at'],
  },
  {
    name: 'api_keys',
    key: ['id'],
    columns: [
      ...['id', 'account_id', 'environment', 'sha256', 'hint', 'name', 'permissions', 'created_at'],
      ...['expires_at', 'revoked_at', 'last_used_at'],
    ],
    same: ['account_id', 'sha256'],
  },
  {
    name: 'sessions',
    key: ['sha256'],
    columns: ['sha256', 'key_id', 'created_at_ms', 'used_at_ms'],
    same: ['key_id'],
  },
  {
    name: 'uploads',
    key: ['id'],
    columns: ['id', 'account_id', 'environment', 'sha256', 'created_at_ms', 'used'],
    same: ['account_id', 'sha256'],
    shape: (row) => ({ ...row, used: row.used === 1 }),
    owner: 'id',
  },
  {
    name: 'inspections',
    key: ['id'],
    columns: [
      ...['id', 'account_id', 'environment', 'kind', 'vehicle_id', 'status', 'created_at', 'completed_at'],
      ...['attempts', 'token', 'document', 'meta', 'request', 'photos', 'parked', 'reviewed_at', 'at_photo'],
      ...['skip_photos', 'spared'],
    ],
    same: ['account_id', 'created_at'],
    shape: shapeInspection,
    owner: 'id',
  },
  {
    name: 'leftovers',
    key: ['owner'],
    columns: ['owner', 'ended_at'],
    same: [],
    where: 'owner IN (SELECT id FROM inspections)',
    shape: ({ owner, ended_at_ms: at }) => ({ owner, ended_at: new Date(Number(at)).toISOString() }),
  },
  {
    name: 'reviews',
    key: ['inspection_id'],
    columns: [
      ...['inspection_id', 'revision', 'reviewer', 'decisions', 'outcome', 'saved_at', 'finished_at'],
    ],
    same: [],
  },
  { name: 'views', key: ['inspection_id'], columns: ['inspection_id', 'created_at_ms'], same: [] },
  {
    name: 'usage_days',
    key: ['account_id', 'environment', 'day'],
    columns: ['account_id', 'environment', 'day', 'inspections', 'photos', 'failed', 'assessments'],
    same: [],
  },
  {
    name: 'idempotency',
    key: ['account_id', 'operation', 'key'],
    columns: ['account_id', 'operation', 'key', 'fingerprint', 'resource_id', 'answer', 'created_at_ms'],
    same: [],
    // Claims of requests that were cut off are free.
    where: 'answer IS NOT NULL OR resource_id IS NOT NULL',
  },
  {
    name: 'webhook_endpoints',
    key: ['id'],
    columns: [
      ...['id', 'account_id', 'environment', 'url', 'description', 'events', 'status', 'disabled_reason'],
      ...['secret', 'previous_secret', 'previous_secret_expires_at_ms', 'created_at'],
    ],
    same: ['account_id', 'created_at'],
  },
  {
    name: 'webhook_messages',
    key: ['id'],
    columns: [
      ...['id', 'endpoint_id', 'event', 'payload', 'created_at', 'status', 'attempts', 'next_attempt_at_ms'],
      ...['simulate', 'resource_id'],
    ],
    same: ['endpoint_id', 'created_at'],
  },
];

/** The log of a message; it has no key of its own and goes with its message. */
export const ATTEMPT_COLUMNS = ['message_id', 'at', 'status_code', 'error', 'duration_ms'] as const;
