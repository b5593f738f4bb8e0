import type { Queries, Database as Target, Row as TargetRow } from '../postgres/database.ts';
import type { Row, Database as Source, Value } from '../sqlite/database.ts';
import type { MovedTable } from './tables.ts';

/** Import counts of a table. */
export interface TableReport {
  readonly table: string;
  /** Rows in the directory. */
  readonly found: number;
  /** Rows added by this run. */
  readonly added: number;
  /** Rows of the directory that are now in the database. */
  readonly present: number;
}

/** Rows per transaction. */
const BATCH = 200;

/** Replaces NULs, which PostgreSQL cannot store in text. */
function removeNul(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

/** Returns the insertable columns of a PostgreSQL table. */
async function listColumns(target: Target, table: string): Promise<readonly string[]> {
  const rows = await target.rows(
    `SELECT column_name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = ? AND is_identity = 'NO'`,
    table,
  );
  return rows.map(({ column_name: name }) => String(name));
}

const listKey = (source: Source, table: string): string[] =>
  source
    .rows('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk', table)
    .map(({ name }) => String(name));

/** Keeps the values of a row that the table has columns for. */
function shapeRow(
  columns: readonly string[],
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(columns.filter((one) => one in row).map((one) => [one, removeNul(row[one])]));
}

function* readBatches(source: Source, { name, where }: MovedTable, key: readonly string[]): Generator<Row[]> {
  const keys = key.join(', ');
  let after: Value[] = [];
  for (;;) {
    const conditions = [
      ...(where === undefined ? [] : [`(${where})`]),
      ...(after.length === 0 ? [] : [`(${keys}) > (${key.map(() => '?').join(', ')})`]),
    ];
    const filter = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const rows = source.rows(`SELECT * FROM ${name} ${filter} ORDER BY ${keys} LIMIT ${BATCH}`, ...after);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = key.map((column) => last[column] as Value);
  }
}

async function insert(
  tx: Queries,
  table: string,
  rows: readonly object[],
  returning: string,
): Promise<TargetRow[]> {
  const names = Object.keys(rows[0] ?? {}).join(', ');
  return tx.rows(
    `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, ?::json)
     ON CONFLICT DO NOTHING RETURNING ${returning}`,
    JSON.stringify(rows),
  );
}

/** Copies the delivery log of newly added messages; existing messages have theirs. */
async function copyAttempts(
  source: Source,
  tx: Queries,
  columns: readonly string[],
  messages: readonly string[],
): Promise<void> {
  const rows = messages.flatMap((id) =>
    source.rows('SELECT * FROM webhook_attempts WHERE message_id = ? ORDER BY number', id),
  );
  const shaped = rows.map((row) => shapeRow(columns, row));
  if (rows.length > 0) await insert(tx, 'webhook_attempts', shaped, 'number');
}

/**
 * Copies the rows of a table that are missing in the target.
 * @param beforeBatch runs before the rows of a batch are stored, for example to copy their files
 */
export async function copyTable(
  table: MovedTable,
  source: Source,
  target: Target,
  beforeBatch: (rows: readonly Row[]) => Promise<void>,
): Promise<TableReport> {
  let found = 0;
  let added = 0;
  let present = 0;
  const key = listKey(source, table.name);
  const identity = [...key, ...table.identity];
  const columns = await listColumns(target, table.name);
  const attemptColumns = await listColumns(target, 'webhook_attempts');
  for (const batch of readBatches(source, table, key)) {
    await beforeBatch(batch);
    const rows = batch.map((row) => shapeRow(columns, table.shape?.(row) ?? row));
    const counts = await target.transaction(async (tx) => {
      const fresh = await insert(tx, table.name, rows, key[0] as string);
      if (table.name === 'webhook_messages')
        await copyAttempts(
          source,
          tx,
          attemptColumns,
          fresh.map(({ id }) => String(id)),
        );
      const there = await tx.row(
        `SELECT count(*) AS n FROM ${table.name} t JOIN json_populate_recordset(NULL::${table.name}, ?::json) s
         ON ${identity.map((column) => `t.${column} = s.${column}`).join(' AND ')}`,
        JSON.stringify(rows),
      );
      return { fresh: fresh.length, there: Number(there?.n) };
    });
    found += batch.length;
    added += counts.fresh;
    present += counts.there;
  }
  return { table: table.name, found, added, present };
}
