import { Value } from 'typebox/value';
import { VehiError } from '../../lib/errors.ts';
import { describeFound, suggestNames } from '../../lib/fields.ts';
import type { Static, TSchema } from '../../lib/type.ts';

/** One thing wrong with a table: where (row and field) and why. */
export interface TableFault {
  readonly where: string;
  readonly reason: string;
}

interface SchemaFault {
  readonly instancePath: string;
  readonly schemaPath: string;
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

/** Returns a JSON pointer such as `/rows/3/rate_per_hour` as `rows[3] (US_MIDWEST).rate_per_hour`. */
function describePlace(table: unknown, instancePath: string): string {
  let place = '';
  let here: unknown = table;
  for (const key of instancePath.split('/').slice(1)) {
    here = typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[key] : undefined;
    place += /^\d+$/.test(key) ? `[${key}]${nameOfRow(here)}` : `${place ? '.' : ''}${key}`;
  }
  return place || 'the table';
}

/** Returns the value at `/rows/3/tax_rate`, or the part of a schema at `#/properties/rows/items`. */
function readValueAt(root: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (here, key) =>
        typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[key] : undefined,
      root,
    );
}

/** Returns what a field needs, in words: its schema's title where it has one, else by the rule that is broken. */
function describeNeed(fault: SchemaFault, schema: unknown): string {
  const { title, properties } = (schema ?? {}) as { title?: string; properties?: object };
  const { limit, comparison, type } = fault.params as Record<string, unknown>;
  if (title !== undefined) return title;
  if (properties !== undefined) return 'an object in braces { }';
  if (comparison !== undefined) return `a number ${comparison} ${limit}`;
  if (fault.keyword === 'minLength') return 'text';
  if (fault.keyword === 'minItems') return `a list of at least ${limit}`;
  return type === undefined ? fault.message : (TYPE_WORDS[String(type)] ?? `${type}`);
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text in quotation marks',
  number: 'a number without quotation marks',
  integer: 'a whole number',
  array: 'a list in brackets [ ]',
};

function describeFault(fault: SchemaFault, schema: TSchema, table: unknown): string {
  const { params } = fault;
  const at = readValueAt(schema, fault.schemaPath);
  const value = readValueAt(table, fault.instancePath);
  const words = (params as { allowedValues?: readonly string[] }).allowedValues;
  if (words !== undefined) return `${describeFound(value)} is not known. ${suggestNames(value, words)}`;
  const extra = (params as { additionalProperties?: readonly string[] }).additionalProperties;
  const names = Object.keys((at as { properties?: object } | undefined)?.properties ?? {});
  if (extra !== undefined) {
    const hint = extra.length === 1 ? ` ${suggestNames(extra[0], names)}` : '';
    return `unknown field ${extra.join(', ')}.${hint}`;
  }
  const missing = (params as { requiredProperties?: readonly string[] }).requiredProperties;
  if (missing !== undefined) return `missing field ${missing.join(', ')}`;
  const list = Array.isArray(value) ? `a list of ${value.length}` : describeFound(value);
  return `is ${list}; ${describeNeed(fault, at)} is needed`;
}

/** Returns everything in which `table` differs from `schema`, with row and reason; empty when it fits. */
function findSchemaFaults(schema: TSchema, table: unknown): TableFault[] {
  const faults = Value.Errors(schema, table) as readonly SchemaFault[];
  return faults
    .filter((fault) => fault.keyword !== 'boolean' && !/\/anyOf\/\d+$/.test(fault.schemaPath))
    .map((fault) => ({
      where: describePlace(table, fault.instancePath),
      reason: describeFault(fault, schema, table),
    }));
}

/** Returns the table typed by its schema. @throws VehiError INVALID_TABLE that lists rows and reasons. */
export function checkTable<S extends TSchema>(
  schema: S,
  table: unknown,
  name: string,
  more: (table: Static<S>) => readonly TableFault[] = () => [],
): Static<S> {
  const shape = findSchemaFaults(schema, table);
  const faults = shape.length > 0 ? shape : more(table as Static<S>);
  if (faults.length > 0) throw makeInvalidTableError(name, faults);
  return table as Static<S>;
}

/** Returns the error for a table that cannot be used; all faults in `details.errors`. */
function makeInvalidTableError(name: string, faults: readonly TableFault[]): VehiError {
  const [first] = faults;
  const rest = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return new VehiError('input', 'INVALID_TABLE', `${name}: ${first?.where}: ${first?.reason}${rest}`, {
    hint: 'Correct the rows named; `vehi regions new` prints a table that is valid and explains its fields.',
    details: { file: name, errors: faults.map(({ where, reason }) => ({ field: where, message: reason })) },
  });
}
