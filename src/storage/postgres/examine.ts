import { VehiError } from '../../lib/errors.ts';
import type { SqlDatabase } from '../sql/database.ts';
import { hidePassword, openPostgres } from './database.ts';
import { MIGRATIONS } from './migrations.ts';
import { checkSchemaVersion, checkServer } from './schema.ts';

/** State of a database, read without changing it. */
export interface DatabaseFacts {
  /** Server version. */
  readonly server: string;
  readonly bytes: number;
  /** Schema version; undefined without a schema. */
  readonly version: number | undefined;
  /** Schema version of this vehi. */
  readonly supportedVersion: number;
}

/** Text columns not in collation C; in any other sort order, list pages would miss records. */
const WRONG_COLLATION_QUERY = `
  SELECT table_name || '.' || column_name AS name FROM information_schema.columns
  WHERE table_schema = current_schema() AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
    AND (table_name, column_name) IN (('inspections', 'id'), ('inspections', 'created_at'), ('uploads', 'id'),
      ('webhook_messages', 'id'), ('webhook_messages', 'created_at')) ORDER BY 1`;

const makeUnsuitableError = (name: string, reason: string, hint: string) =>
  new VehiError('usage', 'DATABASE_UNSUITABLE', `${name}: ${reason}`, { hint });

/**
 * Examines a database without changing it.
 * @throws VehiError usage/DATABASE_UNREACHABLE, usage/DATABASE_TOO_OLD, usage/DATABASE_TOO_NEW,
 * usage/DATABASE_UNSUITABLE (encoding, collation), each with a hint
 */
export async function examineDatabase(url: string): Promise<DatabaseFacts> {
  const db = await openPostgres(url, 1);
  return examine(db, hidePassword(url)).finally(() => db.close());
}

async function examine(db: SqlDatabase, name: string): Promise<DatabaseFacts> {
  await checkServer(db, name);
  const settings = await db.get(
    `SELECT current_setting('server_version') AS server, current_setting('server_encoding') AS encoding,
       pg_database_size(current_database()) AS bytes, to_regclass('schema') IS NOT NULL AS made`,
  );
  if (settings?.encoding !== 'UTF8') {
    const hint = 'Make another one: createdb --encoding=UTF8 --template=template0 vehi';
    throw makeUnsuitableError(name, `its encoding is ${String(settings?.encoding)}; UTF8 is needed.`, hint);
  }
  const schema = settings.made ? await db.get('SELECT version, least FROM schema') : undefined;
  if (schema) checkSchemaVersion(name, schema);
  const misordered = schema ? (await db.all(WRONG_COLLATION_QUERY)).map((row) => String(row.name)) : [];
  if (misordered.length > 0) {
    throw makeUnsuitableError(
      name,
      `${misordered.join(', ')} ${misordered.length === 1 ? 'is' : 'are'} not ordered by collation "C".`,
      'Restore the database from a backup made by pg_dump, which keeps the collation of columns.',
    );
  }
  return {
    server: String(settings.server),
    bytes: Number(settings.bytes),
    version: schema && Number(schema.version),
    supportedVersion: MIGRATIONS.length,
  };
}
