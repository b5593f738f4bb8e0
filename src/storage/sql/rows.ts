import type { Row, SqlDatabase, Value } from './database.ts';

const JSON_FIELDS = [
  'permissions',
  'document',
  'meta',
  'request',
  'events',
  'answer',
  'decisions',
  'outcome',
];

const toColumn = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const toField = (column: string) => column.replace(/_[a-z]/g, (match) => match.slice(1).toUpperCase());

/**
 * Converts a row to a record, a field from each column (`accountId` from `account_id`). Of a join, only the columns
 * that are named with this prefix before a point are converted; by default, those without a prefix.
 */
export function toRecord<T>(row: Row, prefix = ''): T {
  const fields = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    const [column = '', table = ''] = name.split('.').reverse();
    if (table !== prefix) return [];
    const field = toField(column);
    return [[field, value !== null && JSON_FIELDS.includes(field) ? JSON.parse(String(value)) : value]];
  });
  return Object.fromEntries(fields) as T;
}

type Query = readonly [db: SqlDatabase, sql: string, values?: readonly Value[]];

/** Reads the record of the first row. */
export async function readRecord<T>(...[db, ...query]: Query): Promise<T | undefined> {
  const row = await db.get(...query);
  return row && toRecord<T>(row);
}

export async function readRecords<T>(...[db, ...query]: Query): Promise<T[]> {
  return (await db.all(...query)).map((row) => toRecord<T>(row));
}

/** Converts a record to columns, the inverse of `toRecord`. */
const toColumns = (record: object): [column: string, value: Value][] =>
  Object.entries(record).map(([field, value]) => [
    toColumn(field),
    JSON_FIELDS.includes(field) ? JSON.stringify(value) : value,
  ]);

/** Returns the statement that inserts a record, and its values. */
export function makeInsert(table: string, record: object, conflict = ''): [sql: string, values: Value[]] {
  const columns = toColumns(record);
  const names = columns.map(([name]) => name).join(', ');
  const places = columns.map(() => '?').join(', ');
  return [
    `INSERT INTO ${table} (${names}) VALUES (${places}) ${conflict}`,
    columns.map(([, value]) => value),
  ];
}

export async function insertRecord(db: SqlDatabase, table: string, record: object): Promise<void> {
  await db.run(...makeInsert(table, record));
}

/** Joins with AND the conditions that have a value. */
export function joinConditions(conditions: readonly (readonly [sql: string, value: Value | undefined])[]) {
  const defined = conditions.filter((condition): condition is [string, Value] => condition[1] !== undefined);
  return { sql: defined.map(([sql]) => sql).join(' AND '), values: defined.map(([, value]) => value) };
}

/** Returns the statement that changes fields of the record with this id, and its values. */
export function makeUpdate(table: string, change: object, id: string): [sql: string, values: Value[]] {
  const columns = toColumns(change);
  const settings = ['id = id', ...columns.map(([name]) => `${name} = ?`)].join(', ');
  return [`UPDATE ${table} SET ${settings} WHERE id = ?`, [...columns.map(([, value]) => value), id]];
}
