import type { InspectionRecord, InspectionStore, PlaceInOrder } from '../ports.ts';

/** A list is the value of `= ANY(?)`. */
export type Value = string | number | boolean | null | readonly string[];
export type Row = Readonly<Record<string, unknown>>;

/** A statement within a transaction. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
  readonly returns: 'rows' | 'count';
}

/** Rows, or the number of changed rows. */
export interface StatementResult {
  readonly rows: readonly Row[];
  readonly changed: number;
}

/**
 * The statements of a transaction, in order. SQLite runs them in one turn of the event loop, as nothing else may run on
 * its connection meanwhile; PostgreSQL runs them asynchronously.
 */
export type Work<T> = Generator<Statement, T, StatementResult>;

/** The steps of a transaction. */
export const tx = {
  /** Returns how many rows were changed. */
  *run(sql: string, ...values: Value[]): Work<number> {
    return (yield { sql, values, returns: 'count' }).changed;
  },
  *row(sql: string, ...values: Value[]): Work<Row | undefined> {
    return (yield { sql, values, returns: 'rows' }).rows[0];
  },
  *rows(sql: string, ...values: Value[]): Work<readonly Row[]> {
    return (yield { sql, values, returns: 'rows' }).rows;
  },
};

/** SQL that differs between the engines. */
export interface Dialect {
  /** SQL for a column that holds a time of the engine's clock, for just now, for `?` ms ago, and for `?` as epoch ms. */
  readonly time: { readonly column: (name: string) => string } & Readonly<
    Record<'now' | 'ago' | 'epochMs', string>
  >;
  /** SQL for the number of photos of an inspection. */
  readonly photos: string;
  /** SQL for the indexes of the photos that ended a process, with one more. */
  readonly skipOneMore: string;
  /** SQL for the records that unfinished work is read from. */
  readonly unfinished: string;
  /** Stores a record. */
  readonly insertInspection: (
    record: InspectionRecord,
    more: NonNullable<Parameters<InspectionStore['create']>[1]>,
  ) => Work<PlaceInOrder | undefined>;
}

/** Database interface of the stores: SQL that PostgreSQL and SQLite share, with `?` for a value. */
export interface SqlDatabase {
  /** Returns how many rows were changed. */
  run(sql: string, ...values: Value[]): Promise<number>;
  /** Returns the first row that a change names. */
  change(sql: string, ...values: Value[]): Promise<Row | undefined>;
  row(sql: string, ...values: Value[]): Promise<Row | undefined>;
  rows(sql: string, ...values: Value[]): Promise<readonly Row[]>;
  /** All or nothing. */
  transaction<T>(work: () => Work<T>): Promise<T>;
  readonly dialect: Dialect;
}
