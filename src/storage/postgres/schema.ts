import { VehiError } from '../../lib/errors.ts';
import { type Row, type SqlDatabase, tx } from '../sql/database.ts';
import { makeTooNewError } from '../sql/too-new.ts';
import { MIGRATION_TIMEOUT_MS } from './database.ts';
import { MIGRATIONS, MIN_VERSION } from './migrations.ts';

/** Key of the advisory lock for migrations: "vehi" as four bytes. */
const MIGRATION_LOCK = 0x76656869;

/** Oldest major version of PostgreSQL that the statements were tested with. */
const MIN_SERVER_VERSION = 15;

/** Checks that the server is recent enough. @throws VehiError usage/DATABASE_TOO_OLD */
export async function checkServer(db: SqlDatabase, name: string): Promise<void> {
  const row = await db.get("SELECT current_setting('server_version_num')::int AS n, version() AS text");
  if (Number(row?.n) >= MIN_SERVER_VERSION * 10_000) return;
  throw new VehiError(
    'usage',
    'DATABASE_TOO_OLD',
    `${name}: ${String(row?.text)}; PostgreSQL ${MIN_SERVER_VERSION} is needed.`,
    { hint: 'Upgrade the server, or use another one.' },
  );
}

/** Checks that this version of vehi supports the schema. @throws VehiError usage/DATABASE_TOO_NEW */
export function checkSchemaVersion(name: string, { version, least }: Row): void {
  if (Number(least) <= MIGRATIONS.length) return;
  const hint = 'The database was upgraded by a newer vehi. Use that version here too.';
  throw makeTooNewError(name, Number(version), MIGRATIONS.length, hint);
}

/**
 * Migrates the schema. The first process migrates and the others wait. Migrations only add, so the previous version
 * keeps working during an upgrade.
 * @throws VehiError usage/DATABASE_TOO_NEW if the database requires a newer vehi.
 */
export async function migrate(db: SqlDatabase, name: string): Promise<void> {
  await db.transaction(function* () {
    yield* tx.run(`SELECT set_config('statement_timeout', ?, true)`, [String(MIGRATION_TIMEOUT_MS)]);
    yield* tx.run(`SELECT set_config('lock_timeout', ?, true)`, [String(MIGRATION_TIMEOUT_MS)]);
    // Transaction-scoped, because a session lock would leak through a pooler.
    yield* tx.get('SELECT pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
    yield* tx.run('CREATE TABLE IF NOT EXISTS schema (version integer NOT NULL, least integer NOT NULL)');
    const schema = yield* tx.get('SELECT version, least FROM schema');
    const version = Number(schema?.version ?? 0);
    if (schema) checkSchemaVersion(name, schema);
    for (const migration of MIGRATIONS.slice(version)) yield* tx.run(migration);
    if (!schema) yield* tx.run('INSERT INTO schema VALUES (?, ?)', [MIGRATIONS.length, MIN_VERSION]);
    else if (version < MIGRATIONS.length)
      yield* tx.run('UPDATE schema SET version = ?, least = ?', [MIGRATIONS.length, MIN_VERSION]);
  });
}
