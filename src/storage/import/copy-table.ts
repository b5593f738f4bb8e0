import type { Queries, Database as Target, Row as TargetRow } from '../postgres/database.ts';
import type { Row, Database as Source, Value } from '../sqlite/database.ts';
import type { ImportedTable } from './tables.ts';

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
const BATCH_ROWS = 200;

/** Replaces NULs, which PostgreSQL cannot store in text. */
function removeNul(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

/** Returns the insertable columns of a PostgreSQL table. */
async function listColumns(target: Target, table: string): Promise<readonly string[]> {
  const rows = await target.all(
    `SELECT column_name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = ? AND is_identity = 'NO'`,
    table,
  );
  return rows.map(({ column_name: name }) => String(name));
}

const listKeyColumns = (source: Source, table: string): string[] =>
  source
    .all('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk', table)
    .map(({ name }) => String(name));

/** Keeps the values of a row that the table has columns for. */
function selectColumns(columns: readonly string[], row: TargetRow): TargetRow {
  return Object.fromEntries(
    columns.filter((name) => name in row).map((name) => [name, removeNul(row[name])]),
  );
}

function* readBatches(source: Source, { name, where }: ImportedTable, key: string[]): Generator<Row[]> {
  const keys = key.join(', ');
  let lastKey: Value[] = [];
  for (;;) {
    const conditions = [
      ...(where === undefined ? [] : [`(${where})`]),
      ...(lastKey.length === 0 ? [] : [`(${keys}) > (${key.map(() => '?').join(', ')})`]),
    ];
    const filter = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const rows = source.all(
      `SELECT * FROM ${name} ${filter} ORDER BY ${keys} LIMIT ${BATCH_ROWS}`,
      ...lastKey,
    );
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_ROWS) return;
    lastKey = key.map((column) => last[column] as Value);
  }
}

async function insert(
  tx: Queries,
  table: string,
  rows: readonly object[],
  returning: string,
): Promise<TargetRow[]> {
  const columnList = Object.keys(rows[0] ?? {}).join(', ');
  return tx.all(
    `INSERT INTO ${table} (${columnList}) SELECT ${columnList} FROM json_populate_recordset(NULL::${table}, ?::json)
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
    source.all('SELECT * FROM webhook_attempts WHERE message_id = ? ORDER BY number', id),
  );
  const attempts = rows.map((row) => selectColumns(columns, row));
  if (rows.length > 0) await insert(tx, 'webhook_attempts', attempts, 'number');
}

/**
 * Copies the rows of a table that are missing in the target.
 * @param beforeBatch runs before the rows of a batch are stored, for example to copy their files
 */
export async function copyTable(
  table: ImportedTable,
  source: Source,
  target: Target,
  beforeBatch: (rows: readonly Row[]) => Promise<void>,
): Promise<TableReport> {
  let found = 0;
  let added = 0;
  let present = 0;
  const key = listKeyColumns(source, table.name);
  const identity = [...key, ...table.identity];
  const columns = await listColumns(target, table.name);
  const attemptColumns = await listColumns(target, 'webhook_attempts');
  for (const batch of readBatches(source, table, key)) {
    await beforeBatch(batch);
    const rows = batch.map((row) => selectColumns(columns, table.convert?.(row) ?? row));
    const counts = await target.transaction(async (tx) => {
      const inserted = await insert(tx, table.name, rows, key[0] as string);
      if (table.name === 'webhook_messages')
        await copyAttempts(
          source,
          tx,
          attemptColumns,
          inserted.map(({ id }) => String(id)),
        );
      const existing = await tx.get(
        `SELECT count(*) AS n FROM ${table.name} t JOIN json_populate_recordset(NULL::${table.name}, ?::json) s
         ON ${identity.map((column) => `t.${column} = s.${column}`).join(' AND ')}`,
        JSON.stringify(rows),
      );
      return { added: inserted.length, present: Number(existing?.n) };
    });
    found += batch.length;
    added += counts.added;
    present += counts.present;
  }
  return { table: table.name, found, added, present };
}
