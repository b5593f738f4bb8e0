import { type CsvError, type Info, parse } from 'csv-parse/sync';

/** A CSV row with the number of its last line. */
interface CsvRow {
  readonly record: readonly string[];
  readonly line: number;
}

/**
 * Parses a list with commas, semicolons or tabs between columns, as its first line has them; skips empty lines.
 * @param fail creates the error for invalid CSV from a message that names the line
 */
export function readCsv(text: string, fail: (fault: string) => Error): readonly CsvRow[] {
  try {
    const options = {
      bom: true,
      delimiter: findDelimiter(text),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    } as const;
    const rows = parse(text, options) as unknown as { record: string[]; info: Info }[];
    return rows.map(({ record, info }) => ({ record, line: info.lines }));
  } catch (cause) {
    const { message, lines } = cause as CsvError & { lines?: number };
    throw fail(`${lines === undefined ? '' : `line ${lines}: `}${message}`);
  }
}

/** Finds what most often stands between the titles of the first line. */
function findDelimiter(text: string): string {
  const head = /[^\r\n]+/.exec(text)?.[0] ?? '';
  const count = (delimiter: string) => head.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}
