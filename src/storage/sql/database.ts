/** A parameter value; a list is passed to `= ANY(?)`. */
export type Value = string | number | boolean | null | readonly string[];
export type Row = Readonly<Record<string, unknown>>;

export interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
  readonly returns: 'rows' | 'count';
}

export interface StatementResult {
  readonly rows: readonly Row[];
  readonly changes: number;
}

/**
 * Statements of a transaction, in order. SQLite runs them synchronously, because nothing else may use its connection in
 * between; PostgreSQL runs them asynchronously.
 */
export type Statements<T> = Generator<Statement, T, StatementResult>;

export const tx = {
  *run(sql: string, values: readonly Value[] = []): Statements<number> {
    return (yield { sql, values, returns: 'count' }).changes;
  },
  *get(sql: string, values: readonly Value[] = []): Statements<Row | undefined> {
    return (yield { sql, values, returns: 'rows' }).rows[0];
  },
  *all(sql: string, values: readonly Value[] = []): Statements<readonly Row[]> {
    return (yield { sql, values, returns: 'rows' }).rows;
  },
};

/** Database interface of the stores: SQL common to PostgreSQL and SQLite, with `?` placeholders. */
export interface SqlDatabase {
  /** Returns the number of changed rows. */
  run(sql: string, values?: readonly Value[]): Promise<number>;
  /** Returns the first row of a change's RETURNING clause. */
  runReturning(sql: string, values?: readonly Value[]): Promise<Row | undefined>;
  get(sql: string, values?: readonly Value[]): Promise<Row | undefined>;
  all(sql: string, values?: readonly Value[]): Promise<readonly Row[]>;
  transaction<T>(callback: () => Statements<T>): Promise<T>;
  /** SQL expression for the database's current time, epoch ms. */
  readonly sqlNowMs: string;
  close(): Promise<void>;
}
