import type { Queries, Row as TargetRow } from '../postgres/database.ts';
import type { Row, Database as Source, Value } from '../sqlite/database.ts';
import { ATTEMPT_COLUMNS, type MovedTable } from './tables.ts';

/** How much of a table is where. */
export interface TableReport {
  readonly table: string;
  /** Rows of the directory. */
  readonly found: number;
  /** Rows that this run added. */
  readonly added: number;
  /** Rows of the directory that are in the database now. */
  readonly present: number;
}

/** Rows moved in one transaction. */
const BATCH = 200;

/** Removes NULs, which PostgreSQL cannot store in text. */
function removeNul(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

function shapeRow(table: MovedTable, row: Row): Record<string, unknown> {
  const shaped = table.shape?.(row) ?? row;
  return Object.fromEntries(table.columns.map((column) => [column, removeNul(shaped[column])]));
}

function* readBatches(source: Source, { name, key, where }: MovedTable): Generator<Row[]> {
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
  columns: readonly string[],
  rows: readonly object[],
  returning: string,
): Promise<TargetRow[]> {
  const names = columns.join(', ');
  return tx.rows(
    `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, ?::json)
     ON CONFLICT DO NOTHING RETURNING ${returning}`,
    JSON.stringify(rows),
  );
}

/** Copies the log of messages that were added; those that were there have theirs. */
async function copyAttempts(source: Source, tx: Queries, messages: readonly string[]): Promise<void> {
  const columns = ATTEMPT_COLUMNS.join(', ');
  const rows = messages.flatMap((id) =>
    source.rows(`SELECT ${columns} FROM webhook_attempts WHERE message_id = ? ORDER BY number`, id),
  );
  if (rows.length === 0) return;
  const clean = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, removeNul(value)])),
  );
  await insert(tx, 'webhook_attempts', ATTEMPT_COLUMNS, clean, 'number');
}

/**
 * Moves the rows of a table that are not there yet.
 * @param transaction runs work on the target, all or nothing
 * @param before is done for the rows of a batch before they are stored, such as copying their files
 */
export async function copyTable(
  table: MovedTable,
  source: Source,
  transaction: <T>(work: (tx: Queries) => Promise<T>) => Promise<T>,
  before: (rows: readonly Row[]) => Promise<void>,
): Promise<TableReport> {
  let found = 0;
  let added = 0;
  let present = 0;
  const same = [...table.key, ...table.same];
  for (const batch of readBatches(source, table)) {
    await before(batch);
    const rows = batch.map((row) => shapeRow(table, row));
    const counts = await transaction(async (tx) => {
      const fresh = await insert(tx, table.name, table.columns, rows, table.key[0] as string);
      if (table.name === 'webhook_messages')
        await copyAttempts(
          source,
          tx,
          fresh.map(({ id }) => String(id)),
        );
      const there = await tx.row(
        `SELECT count(*) AS n FROM ${table.name} t JOIN json_populate_recordset(NULL::${table.name}, ?::json) s
         ON ${same.map((column) => `t.${column} = s.${column}`).join(' AND ')}`,
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
