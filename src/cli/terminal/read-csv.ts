import { type CsvError, type Info, parse } from 'csv-parse/sync';

/** A row of a table, with the line that it ends in. */
interface CsvRow {
  readonly record: readonly string[];
  readonly line: number;
}

/**
 * Reads the rows of a CSV; empty lines are left out.
 * @param fail makes the error for text that is no CSV, from words that name the line
 */
export function readCsv(text: string, fail: (fault: string) => Error): readonly CsvRow[] {
  try {
    const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true } as const;
    const rows = parse(text, options) as unknown as { record: string[]; info: Info }[];
    return rows.map(({ record, info }) => ({ record, line: info.lines }));
  } catch (cause) {
    const { message, lines } = cause as CsvError & { lines?: number };
    throw fail(`${lines === undefined ? '' : `line ${lines}: `}${message}`);
  }
}
