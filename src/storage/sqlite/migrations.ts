/** SQLite `application_id` of vehi's databases: "vehi" as four bytes. */
export const APPLICATION_ID = 0x76656869;

/** Schema migrations in order, counted by `PRAGMA user_version`. A published migration never changes; add a new one. */
export const MIGRATIONS: readonly string[] = [
  `
  PRAGMA application_id = ${APPLICATION_ID};

  CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE processes (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, version TEXT NOT NULL, host TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

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
  CREATE TABLE sessions (
    sha256 TEXT PRIMARY KEY, key_id TEXT NOT NULL REFERENCES api_keys(id) ON DELETE CASCADE,
    created_at_ms INTEGER NOT NULL, used_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sessions_key ON sessions(key_id);
  -- Accounts whose photos ended the process that opened them.
  CREATE TABLE crashes (account_id TEXT NOT NULL, at_ms INTEGER NOT NULL) STRICT;
  CREATE INDEX crashes_account ON crashes(account_id, at_ms);

  -- token: whose attempt may store its result; at_photo: the photo that an attempt in a child has open; skip_photos:
  -- those that ended their process; spared: attempts in a child that did not die; tag: place in the fair order.
  CREATE TABLE inspections (
    id TEXT PRIMARY KEY, account_id TEXT NOT NULL, environment TEXT NOT NULL, kind TEXT NOT NULL,
    vehicle_id TEXT NOT NULL, status TEXT NOT NULL, created_at TEXT NOT NULL, completed_at TEXT,
    attempts INTEGER NOT NULL, document TEXT NOT NULL, meta TEXT NOT NULL, request TEXT NOT NULL,
    parked INTEGER NOT NULL DEFAULT 0, reviewed_at TEXT, token TEXT, at_photo INTEGER,
    skip_photos TEXT NOT NULL DEFAULT '[]', spared INTEGER NOT NULL DEFAULT 0, tag INTEGER
  ) STRICT;
  CREATE INDEX inspections_list ON inspections(account_id, environment, created_at DESC, id DESC);
  CREATE INDEX inspections_kind ON inspections(account_id, environment, kind, created_at DESC, id DESC);
  CREATE INDEX inspections_status ON inspections(account_id, environment, status, created_at DESC, id DESC);
  CREATE INDEX inspections_kind_status
    ON inspections(account_id, environment, kind, status, created_at DESC, id DESC);
  CREATE INDEX inspections_of_vehicle
    ON inspections(account_id, environment, vehicle_id, created_at DESC, id DESC);
  CREATE INDEX inspections_reviewed
    ON inspections(account_id, environment, (reviewed_at IS NULL), created_at DESC, id DESC);
  CREATE INDEX inspections_vehicle ON inspections(vehicle_id);
  CREATE INDEX inspections_unfinished ON inspections(environment, created_at, id)
    WHERE status = 'processing' AND NOT parked;
  CREATE INDEX inspections_unfinished_of ON inspections(account_id, environment)
    WHERE status = 'processing' AND NOT parked;
  CREATE INDEX inspections_age ON inspections(created_at, id);

  -- removals: owners of removed records whose files are still to be removed; an analysis may write more until until_ms.
  -- leftovers: owners of ended work whose files are not known to be tidied.
  CREATE TABLE removals (owner TEXT PRIMARY KEY, until_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE leftovers (owner TEXT PRIMARY KEY, ended_at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE uploads (
    id TEXT PRIMARY KEY, account_id TEXT NOT NULL, environment TEXT NOT NULL, sha256 TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX uploads_account ON uploads(account_id, environment, created_at_ms);
  CREATE INDEX uploads_age ON uploads(created_at_ms);

  CREATE TABLE reviews (
    inspection_id TEXT PRIMARY KEY REFERENCES inspections(id) ON DELETE CASCADE, revision INTEGER NOT NULL,
    reviewer TEXT NOT NULL, decisions TEXT NOT NULL, outcome TEXT NOT NULL, saved_at TEXT NOT NULL,
    finished_at TEXT
  ) STRICT;
  CREATE TABLE views (
    inspection_id TEXT PRIMARY KEY REFERENCES inspections(id) ON DELETE CASCADE, created_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX views_age ON views(created_at_ms);

  -- claim: whose claim of a key it is; until_ms: how long it counts unless it is renewed.
  CREATE TABLE idempotency (
    account_id TEXT NOT NULL, environment TEXT NOT NULL, operation TEXT NOT NULL, key TEXT NOT NULL,
    fingerprint TEXT NOT NULL, resource_id TEXT, answer TEXT, created_at_ms INTEGER NOT NULL, claim TEXT NOT NULL DEFAULT '',
    until_ms INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, environment, operation, key)
  ) STRICT;
  CREATE INDEX idempotency_resource ON idempotency(resource_id) WHERE resource_id IS NOT NULL;
  CREATE INDEX idempotency_age ON idempotency(created_at_ms);
  CREATE INDEX idempotency_claims ON idempotency(claim) WHERE resource_id IS NULL AND answer IS NULL;

  CREATE TABLE rates (
    account_id TEXT NOT NULL, environment TEXT NOT NULL, window_start_ms INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (account_id, environment, window_start_ms)
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
    attempts INTEGER NOT NULL, next_attempt_at_ms INTEGER NOT NULL, resource_id TEXT
  ) STRICT;
  CREATE INDEX webhook_messages_age ON webhook_messages(created_at) WHERE status <> 'pending';
  CREATE INDEX webhook_messages_endpoint ON webhook_messages(endpoint_id, created_at DESC, id DESC);
  CREATE INDEX webhook_messages_resource ON webhook_messages(resource_id) WHERE resource_id IS NOT NULL;
  CREATE INDEX webhook_messages_pending ON webhook_messages(endpoint_id, next_attempt_at_ms, id)
    WHERE status = 'pending';
  CREATE TABLE webhook_attempts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id TEXT NOT NULL REFERENCES webhook_messages(id) ON DELETE CASCADE,
    at TEXT NOT NULL, status_code INTEGER, error TEXT, duration_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX webhook_attempts_message ON webhook_attempts(message_id, number);
  `,
  `
  CREATE TABLE totals (
    account_id TEXT NOT NULL, environment TEXT NOT NULL, day TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
    reviewed INTEGER NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (account_id, environment, day, kind, status, reviewed)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO totals SELECT account_id, environment, substr(created_at, 1, 10), kind, status, reviewed_at IS NOT NULL, count(*)
    FROM inspections GROUP BY 1, 2, 3, 4, 5, 6;
  `,
  `
  ALTER TABLE api_keys ADD COLUMN replaced_at TEXT;
  -- A key without a successor lasts whole days, one with a successor to the end of its grace period.
  UPDATE api_keys SET replaced_at = expires_at
    WHERE CAST(round((julianday(expires_at) - julianday(created_at)) * 86400000) AS INTEGER) % 86400000 <> 0;
  `,
];
