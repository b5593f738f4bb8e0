import { VehiError } from './errors.ts';
import { findNearest } from './names.ts';

/** A request fault: the contract's code, the field's path, what was found, what to do. */
export interface FieldFault {
  readonly code: string;
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a value is a JSON object, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Formats a value for a message; truncates long text. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.replace(/^(.{60}).+$/su, '$1…'));
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : String(value);
}

/** Suggests the closest known name, or lists all names after `lead` if none is close. */
export function suggestNames(input: unknown, names: readonly string[], lead = 'One of'): string {
  const nearest = typeof input === 'string' ? findNearest(input, names) : undefined;
  return nearest === undefined ? `${lead} ${names.join(', ')}.` : `Did you mean ${nearest}?`;
}

/**
 * Creates one error with all faults in `details.errors`, if there are any. Code and field are those of the first fault
 * with a specific code, else of the first.
 */
export function makeFaultsError(faults: readonly FieldFault[]): VehiError | undefined {
  const first = faults.find(({ code }) => code !== 'INVALID_REQUEST') ?? faults[0];
  if (first === undefined) return undefined;
  return new VehiError('input', first.code, first.message, {
    field: first.field,
    hint: first.hint,
    details: { errors: faults },
  });
}

/** Returns a copy without null fields, for requests in which null means unknown. */
export function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (field === null ? [] : [[name, dropNulls(field)]])),
  );
}
