import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient, PoolConfig, QueryResult } from 'pg';
import { VehiError } from '../../lib/errors.ts';
import { loadOptional } from '../../lib/missing-packages.ts';
import { StorageUnavailableError } from '../records.ts';
import type { SqlDatabase, Value } from '../sql/database.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 3_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
/** Exceeds the server's own limit; a connection that takes longer is dead. */
const QUERY_TIMEOUT_MS = 15_000;
/** Indexing a large table, or waiting for another process's migration, takes longer than a request may. */
export const MIGRATION_TIMEOUT_MS = 600_000;
/** Pauses before what PostgreSQL aborted is repeated; the transaction that it stood in the way of ends first. */
const REPEAT_PAUSES_MS: readonly number[] = [10, 20, 40, 80];

/** Deadlock and serialization failure: what was aborted can be repeated unchanged. */
const RETRYABLE_CODES = new Set(['40P01', '40001']);

const readErrorCode = (error: unknown) => (error as { code?: unknown } | null)?.code;

/** Connection, insufficient resources (as a full disk), operator intervention or statement timeout, lock timeout. */
const UNAVAILABLE_CODES =
  /^(08|53|57|55P03|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENOENT|EHOSTUNREACH|ENETUNREACH)/;
const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error/;

/** Returns true for a connection error, a timeout, or if the server is starting, stopping or out of resources. */
const isUnavailable = (error: unknown) =>
  UNAVAILABLE_CODES.test(String(readErrorCode(error))) ||
  UNAVAILABLE_MESSAGES.test(String((error as Error | null)?.message));

/** Replaces the `?` placeholders, which SQLite also uses, with PostgreSQL's numbered ones. */
function numberPlaceholders(sql: string): string {
  let position = 0;
  return sql.replace(/\?/g, () => `$${++position}`);
}

/** Opens a pool of `pg`, which is loaded only here. */
async function openPool(options: PoolConfig): Promise<Pool> {
  const { default: pg } = await loadOptional('a PostgreSQL database', () => import('pg'));
  // Counts and millisecond times fit into a double.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    application_name: 'vehi',
    ...options,
  });
  // The pool replaces an idle connection that the server closed.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

async function send(client: PoolClient, sql: string, values: readonly Value[]) {
  const { rows, rowCount }: QueryResult = await client.query(numberPlaceholders(sql), [...values]);
  return { rows, changes: rowCount ?? 0 };
}

/**
 * Opens a pool of at most `connections` to the database at `url` (`postgres://…`; password from PGPASSWORD or .pgpass).
 * Nothing depends on a session, so a pooler in transaction mode works.
 * @param options `queryTimeoutMs`: time without a result after which a connection is considered dead
 * @throws VehiError usage/DATABASE_UNREACHABLE with the reason of the server, without the password.
 */
export async function openPostgres(
  url: string,
  connections: number,
  { queryTimeoutMs = QUERY_TIMEOUT_MS } = {},
): Promise<SqlDatabase> {
  const pool = await openPool({ connectionString: url, max: connections, query_timeout: queryTimeoutMs });
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    await pool.end();
    throw makeUnreachableError(url, error);
  }

  /**
   * Runs a callback on a pooled connection, and again if PostgreSQL aborts it with a retryable code. The connection is
   * discarded after a timeout, because its result may still arrive.
   */
  async function withConnection<T>(callback: (client: PoolClient) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const client = await pool.connect().catch((cause: Error) => {
        throw new StorageUnavailableError(`no connection to PostgreSQL: ${cause.message}`, { cause });
      });
      const pauseMs = REPEAT_PAUSES_MS[attempt];
      let connectionError: Error | undefined;
      try {
        return await callback(client);
      } catch (error) {
        if (isUnavailable(error)) {
          connectionError = error as Error;
          throw new StorageUnavailableError(`PostgreSQL: ${connectionError.message}`, { cause: error });
        }
        if (pauseMs === undefined || !RETRYABLE_CODES.has(String(readErrorCode(error)))) throw error;
      } finally {
        client.release(connectionError);
      }
      await sleep(pauseMs);
    }
  }

  const query = (sql: string, values: readonly Value[] = []) =>
    withConnection((client) => send(client, sql, values));
  const getRow = async (sql: string, values?: readonly Value[]) => (await query(sql, values)).rows[0];

  return {
    run: async (sql, values) => (await query(sql, values)).changes,
    runReturning: getRow,
    get: getRow,
    all: async (sql, values) => (await query(sql, values)).rows,
    transaction: (callback) =>
      withConnection(async (client) => {
        await client.query('BEGIN');
        try {
          const statements = callback();
          let step = statements.next();
          while (!step.done) step = statements.next(await send(client, step.value.sql, step.value.values));
          await client.query('COMMIT');
          return step.value;
        } catch (error) {
          await client.query('ROLLBACK').catch(() => undefined);
          throw error;
        }
      }),
    sqlNowMs: 'CAST(extract(epoch FROM now()) * 1000 AS bigint)',
    close: () => pool.end(),
  };
}

/** Hides the password of a URL, for messages. */
export function hidePassword(url: string): string {
  if (!URL.canParse(url)) return url.replace(/\/\/.*@/, '//***@');
  const redacted = new URL(url);
  if (redacted.password !== '') redacted.password = '***';
  if (redacted.searchParams.has('password')) redacted.searchParams.set('password', '***');
  return redacted.href;
}

function makeUnreachableError(url: string, cause: unknown): VehiError {
  return new VehiError(
    'usage',
    'DATABASE_UNREACHABLE',
    `${hidePassword(url)}: the database cannot be used (${(cause as Error).message || String(readErrorCode(cause))}).`,
    {
      hint: /unsupported startup parameter/.test((cause as Error).message)
        ? 'Put into pgbouncer.ini: ignore_startup_parameters = extra_float_digits,statement_timeout,lock_timeout,idle_in_transaction_session_timeout'
        : 'Check host, port, name of the database, user and password (PGPASSWORD or ~/.pgpass); psql with the same address must work.',
      cause,
    },
  );
}
