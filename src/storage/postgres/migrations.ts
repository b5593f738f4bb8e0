/**
 * Schema migrations in order; `schema.version` counts those applied. A published migration never changes; a new change
 * needs a new migration. Ids and times are texts in the C collation, so they sort as in SQLite.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE secrets (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);

  CREATE TABLE accounts (
    id text COLLATE "C" PRIMARY KEY, name text NOT NULL, plan text NOT NULL, status text NOT NULL,
    requests_per_hour integer, concurrent_requests integer, created_at text COLLATE "C" NOT NULL
  );

  CREATE TABLE api_keys (
    id text COLLATE "C" PRIMARY KEY, account_id text COLLATE "C" NOT NULL REFERENCES accounts(id),
    environment text NOT NULL, sha256 text COLLATE "C" NOT NULL UNIQUE, hint text NOT NULL, name text NOT NULL,
    permissions text NOT NULL, created_at text COLLATE "C" NOT NULL, expires_at text, revoked_at text,
    last_used_at text
  );
  CREATE INDEX api_keys_account ON api_keys(account_id);

  CREATE TABLE sessions (
    sha256 text COLLATE "C" PRIMARY KEY, key_id text COLLATE "C" NOT NULL REFERENCES api_keys(id) ON DELETE CASCADE,
    created_at_ms bigint NOT NULL, used_at_ms bigint NOT NULL
  );
  CREATE INDEX sessions_key ON sessions(key_id);

  -- Accounts whose photos ended the process that opened them.
  CREATE TABLE crashes (account_id text COLLATE "C" NOT NULL, at_ms bigint NOT NULL);
  CREATE INDEX crashes_account ON crashes(account_id, at_ms);

  -- token: whose attempt may store its result; at_photo: the photo that an attempt in a child has open; skip_photos:
  -- those that ended their process; spared: attempts in a child that did not die; tag: when its work is started.
  CREATE TABLE inspections (
    id text COLLATE "C" PRIMARY KEY, account_id text COLLATE "C" NOT NULL, environment text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL, vehicle_id text COLLATE "C" NOT NULL, status text COLLATE "C" NOT NULL,
    created_at text COLLATE "C" NOT NULL, completed_at text COLLATE "C", attempts integer NOT NULL, token text,
    document text NOT NULL, meta text NOT NULL, request text NOT NULL,
    parked boolean NOT NULL DEFAULT false, reviewed_at text COLLATE "C", at_photo integer,
    skip_photos text NOT NULL DEFAULT '[]', spared integer NOT NULL DEFAULT 0, tag bigint
  );
  CREATE INDEX inspections_list ON inspections(account_id, environment, created_at DESC, id DESC);
  CREATE INDEX inspections_kind ON inspections(account_id, environment, kind, created_at DESC, id DESC);
  CREATE INDEX inspections_status ON inspections(account_id, environment, status, created_at DESC, id DESC);
  CREATE INDEX inspections_of_vehicle
    ON inspections(account_id, environment, vehicle_id, created_at DESC, id DESC);
  CREATE INDEX inspections_vehicle ON inspections(vehicle_id);
  CREATE INDEX inspections_reviewed
    ON inspections(account_id, environment, (reviewed_at IS NULL), created_at DESC, id DESC);
  CREATE INDEX inspections_age ON inspections(created_at, id);
  CREATE INDEX inspections_unfinished ON inspections(environment, created_at, id) WHERE status = 'processing' AND NOT parked;
  CREATE INDEX inspections_unfinished_of ON inspections(account_id, environment)
    WHERE status = 'processing' AND NOT parked;
  -- removals: owners of removed records whose files are still to be removed; an analysis may write more until until_ms.
  -- leftovers: owners of ended work whose files are not known to be tidied. blob_owners: before their first byte.
  CREATE TABLE removals (owner text COLLATE "C" PRIMARY KEY, until_ms bigint NOT NULL);
  CREATE TABLE leftovers (owner text COLLATE "C" PRIMARY KEY, ended_at_ms bigint NOT NULL);
  CREATE TABLE blob_owners (owner text COLLATE "C" PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX blob_owners_age ON blob_owners(created_at);

  CREATE TABLE processes (
    id text COLLATE "C" PRIMARY KEY, kind text NOT NULL, version text NOT NULL, host text NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now()
  );
  -- Requests that are being answered; worthless after a crash of the server.
  CREATE UNLOGGED TABLE slots (
    id text COLLATE "C" PRIMARY KEY, account_id text COLLATE "C" NOT NULL, environment text COLLATE "C" NOT NULL,
    process_id text COLLATE "C" NOT NULL
  );
  CREATE INDEX slots_account ON slots(account_id, environment);
  CREATE TABLE leases (name text COLLATE "C" PRIMARY KEY, holder text NOT NULL, until timestamptz NOT NULL);

  -- claim: whose claim of a key it is; until_ms: how long it counts unless it is renewed.
  CREATE TABLE idempotency (
    account_id text COLLATE "C" NOT NULL, environment text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL,
    fingerprint text NOT NULL, resource_id text COLLATE "C", answer text, created_at_ms bigint NOT NULL,
    claim text COLLATE "C" NOT NULL DEFAULT '', until_ms bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, environment, operation, key)
  );
  CREATE INDEX idempotency_resource ON idempotency(resource_id) WHERE resource_id IS NOT NULL;
  CREATE INDEX idempotency_age ON idempotency(created_at_ms);
  CREATE INDEX idempotency_claims ON idempotency(claim) WHERE resource_id IS NULL AND answer IS NULL;

  CREATE TABLE rates (
    account_id text COLLATE "C" NOT NULL, environment text COLLATE "C" NOT NULL, window_start_ms bigint NOT NULL,
    count bigint NOT NULL, PRIMARY KEY (account_id, environment, window_start_ms)
  );

  CREATE TABLE webhook_endpoints (
    id text COLLATE "C" PRIMARY KEY, account_id text COLLATE "C" NOT NULL, environment text COLLATE "C" NOT NULL,
    url text NOT NULL, description text NOT NULL, events text NOT NULL, status text NOT NULL, disabled_reason text,
    secret text NOT NULL, previous_secret text, previous_secret_expires_at_ms bigint,
    created_at text COLLATE "C" NOT NULL
  );
  CREATE INDEX webhook_endpoints_account ON webhook_endpoints(account_id, environment);
  CREATE TABLE webhook_messages (
    id text COLLATE "C" PRIMARY KEY,
    endpoint_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
    event text NOT NULL, payload text NOT NULL, created_at text COLLATE "C" NOT NULL, status text NOT NULL,
    attempts integer NOT NULL, next_attempt_at_ms bigint NOT NULL, resource_id text COLLATE "C"
  );
  CREATE INDEX webhook_messages_age ON webhook_messages(created_at) WHERE status <> 'pending';
  CREATE INDEX webhook_messages_endpoint ON webhook_messages(endpoint_id, created_at DESC, id DESC);
  CREATE INDEX webhook_messages_resource ON webhook_messages(resource_id) WHERE resource_id IS NOT NULL;
  CREATE INDEX webhook_messages_pending ON webhook_messages(endpoint_id, next_attempt_at_ms, id)
    WHERE status = 'pending';
  CREATE TABLE webhook_attempts (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id text COLLATE "C" NOT NULL REFERENCES webhook_messages(id) ON DELETE CASCADE,
    at text NOT NULL, status_code integer, error text, duration_ms integer NOT NULL
  );
  CREATE INDEX webhook_attempts_message ON webhook_attempts(message_id, number);

  CREATE TABLE uploads (
    id text COLLATE "C" PRIMARY KEY, account_id text COLLATE "C" NOT NULL, environment text NOT NULL,
    sha256 text NOT NULL, created_at_ms bigint NOT NULL
  );
  CREATE INDEX uploads_account ON uploads(account_id, environment, created_at_ms);
  CREATE INDEX uploads_age ON uploads(created_at_ms);

  CREATE TABLE reviews (
    inspection_id text COLLATE "C" PRIMARY KEY REFERENCES inspections(id) ON DELETE CASCADE,
    revision integer NOT NULL, reviewer text NOT NULL, decisions text NOT NULL, outcome text NOT NULL,
    saved_at text NOT NULL, finished_at text
  );
  CREATE TABLE views (
    inspection_id text COLLATE "C" PRIMARY KEY REFERENCES inspections(id) ON DELETE CASCADE,
    created_at_ms bigint NOT NULL
  );
  CREATE INDEX views_age ON views(created_at_ms);
  `,
  `
  CREATE TABLE totals (
    account_id text COLLATE "C", environment text COLLATE "C", day text COLLATE "C", kind text COLLATE "C",
    status text COLLATE "C", reviewed boolean, n integer NOT NULL,
    PRIMARY KEY (account_id, environment, day, kind, status, reviewed)
  );
  INSERT INTO totals SELECT account_id, environment, substr(created_at, 1, 10), kind, status, reviewed_at IS NOT NULL, count(*)
    FROM inspections GROUP BY 1, 2, 3, 4, 5, 6;
  `,
  `
  ALTER TABLE api_keys ADD COLUMN replaced_at text;
  -- A key without a successor lasts whole days, one with a successor to the end of its grace period.
  UPDATE api_keys SET replaced_at = expires_at
    WHERE mod(extract(epoch FROM expires_at::timestamptz - created_at::timestamptz) * 1000, 86400000) <> 0;
  `,
];

/** Oldest version whose processes may use a fully migrated database, because both run during an upgrade. */
export const MIN_VERSION = 2;
