import type { Row } from '../sqlite/database.ts';

/** A table of a data directory that is moved as it is, or nearly so. */
export interface MovedTable {
  readonly name: string;
  /** Columns besides the key that a row must agree in to be the same: ids of two sandboxes may be equal. */
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
  { name: 'accounts', same: ['created_at'] },
  { name: 'api_keys', same: ['account_id', 'sha256'] },
  { name: 'sessions', same: ['key_id'] },
  {
    name: 'uploads',
    same: ['account_id', 'sha256'],
    shape: (row) => ({ ...row, used: row.used === 1 }),
    owner: 'id',
  },
  { name: 'inspections', same: ['account_id', 'created_at'], shape: shapeInspection, owner: 'id' },
  {
    name: 'leftovers',
    same: [],
    where: 'owner IN (SELECT id FROM inspections)',
    shape: ({ owner, ended_at_ms: at }) => ({ owner, ended_at: new Date(Number(at)).toISOString() }),
  },
  { name: 'reviews', same: [] },
  { name: 'views', same: [] },
  { name: 'usage_days', same: [] },
  // Claims of requests that were cut off are free.
  { name: 'idempotency', same: [], where: 'answer IS NOT NULL OR resource_id IS NOT NULL' },
  { name: 'webhook_endpoints', same: ['account_id', 'created_at'] },
  { name: 'webhook_messages', same: ['endpoint_id', 'created_at'] },
];
