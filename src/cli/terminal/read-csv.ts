import { type CsvError, type Info, parse } from 'csv-parse/sync';
import { VehiError } from '../../lib/errors.ts';
import { escapeName } from '../../lib/names.ts';

/** Cells of a row keyed by column title, with the number of its last line. */
interface CsvRow<C extends string> {
  readonly cells: Readonly<Partial<Record<C, string>>>;
  readonly line: number;
}

/** What is wrong with a line, by the parser's code. */
const FAULTS: Partial<Record<CsvError['code'], string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is never closed',
  INVALID_OPENING_QUOTE: 'a quotation mark within a cell: quote the cell, and double the mark',
  CSV_INVALID_CLOSING_QUOTE: 'text after a closing quotation mark; a mark within a cell is doubled',
  CSV_RECORD_INCONSISTENT_COLUMNS: 'more cells than line 1 has columns; a cell with a separator is quoted',
};

/** Creates the error of an unusable list, which names all its faults. */
export function makeListError(
  code: 'INVALID_REQUEST' | 'INVALID_VEHICLE_LIST',
  file: string,
  faults: readonly string[],
  hint: string,
): VehiError {
  const errors = faults.map((fault) => ({ message: escapeName(fault) }));
  const message = `${file}: ${errors[0]?.message}`;
  return new VehiError('input', code, message, { hint, details: { errors, file } });
}

/**
 * Parses a list whose first line contains the column titles, in any case and order, separated by commas, semicolons or
 * tabs. Cells are trimmed, empty lines skipped, and missing cells at the end of a line are absent.
 * @param fail creates the error for an unusable list from a message that names the line
 */
export function readCsv<const C extends string>(
  text: string,
  needed: readonly C[],
  fail: (fault: string) => Error,
): readonly CsvRow<C>[] {
  let titles: readonly string[] = [];
  let rows: { record: CsvRow<C>['cells']; info: Info }[];
  try {
    rows = parse(text, {
      bom: true,
      columns: (head: string[]) => {
        titles = head.map((title) => title.toLowerCase());
        return [...titles];
      },
      delimiter: findDelimiter(text),
      info: true,
      relax_column_count_less: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as typeof rows;
  } catch (cause) {
    const { code, lines, message } = cause as CsvError & { lines?: number };
    throw fail(`${lines === undefined ? '' : `line ${lines}: `}${FAULTS[code] ?? message}`);
  }
  if (needed.some((column) => !titles.includes(column)))
    throw fail(`line 1: found ${titles.join(', ') || 'nothing'}; needed: the columns ${needed.join(',')}`);
  const repeated = needed.find((column) => titles.indexOf(column) !== titles.lastIndexOf(column));
  if (repeated !== undefined) throw fail(`line 1: the column ${repeated} is given twice`);
  return rows.map(({ record, info }) => ({ cells: record, line: info.lines }));
}

function findDelimiter(text: string): string {
  const head = /[^\r\n]+/.exec(text)?.[0] ?? '';
  const count = (delimiter: string) => head.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}
