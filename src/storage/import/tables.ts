import type { Row } from '../sqlite/database.ts';

/** A table of a data directory that is imported with few or no changes. */
export interface ImportedTable {
  readonly name: string;
  /** Columns besides the key that identify the same row, because ids of two sandboxes may collide. */
  readonly identity: readonly string[];
  /** SQLite condition for the rows to import. */
  readonly where?: string;
  /** Converts a row to PostgreSQL's columns; absent: unchanged. */
  readonly convert?: (row: Row) => Readonly<Record<string, unknown>>;
  /** Column with the owner of the row's files. */
  readonly owner?: string;
}

interface Request {
  readonly simulate?: { readonly outcome?: string };
}

function convertInspection(row: Row): Readonly<Record<string, unknown>> {
  const request = JSON.parse(String(row.request)) as Request | null;
  return {
    ...row,
    // The process of the attempt has ended.
    token: null,
    parked: request?.simulate?.outcome === 'processing',
    skip_photos: JSON.parse(String(row.skip_photos)),
  };
}

/** Ordered by foreign keys. Triggers maintain the counts of inspections. */
export const IMPORTED_TABLES: readonly ImportedTable[] = [
  { name: 'accounts', identity: ['created_at'] },
  { name: 'api_keys', identity: ['account_id', 'sha256'] },
  { name: 'sessions', identity: ['key_id'] },
  {
    name: 'uploads',
    identity: ['account_id', 'sha256'],
    convert: (row) => ({ ...row, used: row.used === 1 }),
    owner: 'id',
  },
  { name: 'inspections', identity: ['account_id', 'created_at'], convert: convertInspection, owner: 'id' },
  {
    name: 'leftovers',
    identity: [],
    where: 'owner IN (SELECT id FROM inspections)',
    convert: ({ owner, ended_at_ms: at }) => ({ owner, ended_at: new Date(Number(at)).toISOString() }),
  },
  { name: 'reviews', identity: [] },
  { name: 'views', identity: [] },
  // Claims of interrupted requests are dropped.
  { name: 'idempotency', identity: [], where: 'answer IS NOT NULL OR resource_id IS NOT NULL' },
  { name: 'webhook_endpoints', identity: ['account_id', 'created_at'] },
  { name: 'webhook_messages', identity: ['endpoint_id', 'created_at'] },
];
