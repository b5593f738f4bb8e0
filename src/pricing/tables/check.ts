import { findViolations } from '../../lib/check.ts';
import { VehiError } from '../../lib/errors.ts';
import type { Static, TSchema } from '../../lib/type.ts';

/** A table error: location (row and field) and reason. */
export interface TableFault {
  readonly where: string;
  readonly reason: string;
}

/** Adds the codes of rows to a field path: `rows[3].rate_per_hour` becomes `rows[3] (US_MIDWEST).rate_per_hour`. */
function nameRows(table: unknown, field: string): string {
  let node = table;
  return field.replaceAll(/([^.[\]]+)|\[(\d+)\]/g, (step: string, name?: string, index?: string) => {
    node = (node as Record<string, unknown> | undefined)?.[name ?? index ?? ''];
    const { code } = (node ?? {}) as { readonly code?: unknown };
    return index !== undefined && typeof code === 'string' ? `${step} (${code})` : step;
  });
}

/** Validates a table by its schema, then by `listFurtherFaults`. @throws VehiError INVALID_TABLE listing rows and reasons. */
export function checkTable<S extends TSchema>(
  schema: S,
  table: unknown,
  name: string,
  listFurtherFaults: (table: Static<S>) => readonly TableFault[] = () => [],
): Static<S> {
  const shape = findViolations(schema, table).map(
    ({ field, problem, hint }): TableFault => ({
      where: nameRows(table, field) || 'the table',
      reason: hint === undefined ? problem : `${problem} ${hint}`,
    }),
  );
  const faults = shape.length > 0 ? shape : listFurtherFaults(table as Static<S>);
  const [first] = faults;
  if (first === undefined) return table as Static<S>;
  const rest = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  throw new VehiError('input', 'INVALID_TABLE', `${name}: ${first.where}: ${first.reason}${rest}`, {
    hint: 'Correct the rows named; `vehi regions show CODE --json` prints a table that is valid.',
    details: { file: name, errors: faults.map(({ where, reason }) => ({ field: where, message: reason })) },
  });
}
