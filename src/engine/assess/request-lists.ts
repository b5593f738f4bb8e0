import { type FieldReader, found, isObject, type Json, meant } from '../../lib/fields.ts';

const REQUEST = 'INVALID_REQUEST';

/** Reads a list of at most `most` entries; absent and null are empty. */
export function list(value: unknown, field: string, most: number, read: FieldReader): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.length <= most) return value;
  const is = Array.isArray(value) ? `has ${value.length} entries` : `is ${found(value)}`;
  read.fault(REQUEST, field, `${field} ${is}; a list of at most ${most} is needed.`);
  return [];
}

/** Reads an object with known fields alone. */
export function closed(value: unknown, field: string, known: readonly string[], read: FieldReader): Json {
  if (!isObject(value)) {
    read.fault(REQUEST, field, `${field} is ${found(value)}; an object is needed.`);
    return {};
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    read.fault(REQUEST, `${field}.${unknown}`, `${field}.${unknown} is not a field.`, meant(unknown, known));
  return value;
}
