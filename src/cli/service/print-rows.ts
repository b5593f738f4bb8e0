import { Chalk } from 'chalk';
import { toJsonText } from '../../lib/json.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import type { CliContext } from '../terminal/context.ts';
import { write } from '../terminal/output.ts';

/** Prints a document as JSON or its rows as a table. */
export function printRows(
  document: unknown,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { json }: { readonly json?: boolean | undefined },
  { stdout, colour }: CliContext,
): Promise<void> {
  const chalk = new Chalk({ level: colour.stdout });
  return write(stdout, json ? toJsonText(document) : `${renderPlainTable(head, rows, { chalk })}\n`);
}
