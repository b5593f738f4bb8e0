/**
 * Schema steps in order; `PRAGMA user_version` counts those applied. A published step never changes, a new need is
 * a new step.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE accounts (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, plan TEXT NOT NULL, status TEXT NOT NULL,
    requests_per_hour INTEGER, concurrent_requests INTEGER, created_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES accounts(id), environment TEXT NOT NULL,
    sha256 TEXT NOT NULL UNIQUE, hint TEXT NOT NULL, name TEXT NOT NULL, permissions TEXT NOT NULL,
    created_at TEXT NOT NULL, expires_at TEXT, revoked_at TEXT, last_used_at TEXT
  ) STRICT;
  CREATE INDEX api_keys_account ON api_keys(account_id);

  CREATE TABLE inspections (
    id TEXT PRIMARY KEY, account_id TEXT NOT NULL, environment TEXT NOT NULL, kind TEXT NOT NULL,
    vehicle_id TEXT NOT NULL, status TEXT NOT NULL, created_at TEXT NOT NULL, completed_at TEXT,
    attempts INTEGER NOT NULL, document TEXT NOT NULL, meta TEXT NOT NULL, request TEXT NOT NULL
  ) STRICT;
  CREATE INDEX inspections_list ON inspections(account_id, environment, created_at DESC, id DESC);
  CREATE INDEX inspections_vehicle ON inspections(vehicle_id);
  CREATE INDEX inspections_unfinished ON inspections(created_at, id) WHERE status = 'processing';

  CREATE TABLE idempotency (
    account_id TEXT NOT NULL, operation TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL,
    resource_id TEXT, answer TEXT, created_at_ms INTEGER NOT NULL,
    PRIMARY KEY (account_id, operation, key)
  ) STRICT;

  CREATE TABLE rates (
    account_id TEXT NOT NULL, window_start_ms INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (account_id, window_start_ms)
  ) STRICT;

  CREATE TABLE webhook_endpoints (
    id TEXT PRIMARY KEY, account_id TEXT NOT NULL, environment TEXT NOT NULL, url TEXT NOT NULL,
    description TEXT NOT NULL, events TEXT NOT NULL, status TEXT NOT NULL, disabled_reason TEXT,
    secret TEXT NOT NULL, previous_secret TEXT, previous_secret_expires_at_ms INTEGER, created_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX webhook_endpoints_account ON webhook_endpoints(account_id, environment);

  CREATE TABLE webhook_messages (
    id TEXT PRIMARY KEY, endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
    event TEXT NOT NULL, payload TEXT NOT NULL, created_at TEXT NOT NULL, status TEXT NOT NULL,
    attempts INTEGER NOT NULL, next_attempt_at_ms INTEGER NOT NULL, simulate TEXT
  ) STRICT;
  CREATE INDEX webhook_messages_due ON webhook_messages(next_attempt_at_ms, id) WHERE status = 'pending';
  CREATE INDEX webhook_messages_endpoint ON webhook_messages(endpoint_id, created_at DESC, id DESC);

  CREATE TABLE webhook_attempts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id TEXT NOT NULL REFERENCES webhook_messages(id) ON DELETE CASCADE,
    at TEXT NOT NULL, status_code INTEGER, error TEXT, duration_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX webhook_attempts_message ON webhook_attempts(message_id, number);
  `,
];
