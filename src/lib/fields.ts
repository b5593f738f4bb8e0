import { nearest } from './nearest.ts';

/** One thing wrong with a request: the contract's code, the field's path, what was found, what to do. */
export interface FieldFault {
  readonly code: string;
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
}

export type Json = Readonly<Record<string, unknown>>;

/** Returns true for a JSON object, not a list. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns how a value is named in a message; long text is cut. */
export function found(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : String(value);
}

/** Returns the known name nearest to what was typed, or all names where none is near. */
export function meant(typed: unknown, names: readonly string[]): string {
  const near = typeof typed === 'string' ? nearest(typed, names) : undefined;
  return near === undefined ? `One of ${names.join(', ')}.` : `Did you mean ${near}?`;
}
