import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { VehiError } from '../../lib/errors.ts';

/** One thing wrong with a table: where (row and field) and why. */
export interface TableFault {
  readonly where: string;
  readonly reason: string;
}

interface SchemaFault {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message: string;
  readonly params: object;
}

function nameOfRow(row: unknown): string {
  if (typeof row !== 'object' || row === null) return '';
  const { code, currency, component, parts } = row as Record<string, unknown>;
  const name = [code, component, Array.isArray(parts) ? parts[0] : undefined, currency].find(
    (n) => typeof n === 'string',
  );
  return name === undefined ? '' : ` (${name})`;
}

/** `/rows/3/rate_per_hour` as `rows[3] (US_MIDWEST).rate_per_hour`. */
function placeOf(table: unknown, instancePath: string): string {
  let place = '';
  let here: unknown = table;
  for (const key of instancePath.split('/').slice(1)) {
    here = typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[key] : undefined;
    place += /^\d+$/.test(key) ? `[${key}]${nameOfRow(here)}` : `${place ? '.' : ''}${key}`;
  }
  return place || 'the table';
}

function reasonOf(fault: SchemaFault): string {
  const allowed = (fault.params as { allowedValues?: readonly unknown[] }).allowedValues;
  if (allowed !== undefined && allowed.length <= 12) return `must be one of ${allowed.join(', ')}`;
  const extra = (fault.params as { additionalProperties?: readonly string[] }).additionalProperties;
  if (extra !== undefined) return `unknown field ${extra.join(', ')}`;
  const missing = (fault.params as { requiredProperties?: readonly string[] }).requiredProperties;
  if (missing !== undefined) return `missing field ${missing.join(', ')}`;
  return fault.message;
}

/** Everything in which `table` differs from `schema`, with row and reason; empty when it fits. */
function schemaFaults(schema: TSchema, table: unknown): TableFault[] {
  const faults = Value.Errors(schema, table) as readonly SchemaFault[];
  return faults
    .filter((fault) => fault.keyword !== 'boolean')
    .map((fault) => ({ where: placeOf(table, fault.instancePath), reason: reasonOf(fault) }));
}

/** Returns the table typed by its schema. @throws VehiError INVALID_TABLE that lists rows and reasons. */
export function checkTable<S extends TSchema>(
  schema: S,
  table: unknown,
  name: string,
  more: (table: Static<S>) => readonly TableFault[] = () => [],
): Static<S> {
  const shape = schemaFaults(schema, table);
  const faults = shape.length > 0 ? shape : more(table as Static<S>);
  if (faults.length > 0) throw invalidTable(name, faults);
  return table as Static<S>;
}

/** The error for a table that cannot be used; all faults in `details.errors`. */
function invalidTable(name: string, faults: readonly TableFault[]): VehiError {
  const [first] = faults;
  const rest = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return new VehiError('input', 'INVALID_TABLE', `${name}: ${first?.where}: ${first?.reason}${rest}`, {
    hint: 'Correct the rows named; `vehi regions new` prints a table that is valid and explains its fields.',
    details: { errors: faults.map(({ where, reason }) => ({ field: where, message: reason })) },
  });
}
