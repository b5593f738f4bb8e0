import type { Schema } from './check-value.ts';
import { describeValue, isObject } from './fields.ts';
import { findNearest } from './names.ts';

/** Maximum unknown fields listed per value. */
const MAX_FIELDS = 20;

/** An unknown field. */
export interface UnknownField {
  readonly code: 'unknown_field';
  /** Path such as `options.detailed_analisys`. */
  readonly field: string;
  readonly message: string;
}

/**
 * Returns up to 20 fields of a value that its schema does not define. In open objects (`additionalProperties: true`),
 * returns only likely typos: names close to an absent field.
 */
export function findUnknownFields(schema: object, value: unknown): readonly UnknownField[] {
  const fields: UnknownField[] = [];
  for (const field of listUnknown(schema as Schema, value, '')) {
    fields.push(field);
    if (fields.length === MAX_FIELDS) break;
  }
  return fields;
}

function* listUnknown(schema: Schema, value: unknown, path: string): Generator<UnknownField> {
  const { items, properties, additionalProperties } = schema;
  if (items !== undefined && Array.isArray(value))
    for (const [index, entry] of value.entries()) yield* listUnknown(items, entry, `${path}[${index}]`);
  if (properties === undefined || !isObject(value)) return;
  const absentNames = Object.keys(properties).filter((name) => value[name] === undefined);
  const prefix = path === '' ? '' : `${path}.`;
  for (const [name, fieldValue] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property !== undefined) {
      yield* listUnknown(property, fieldValue, `${prefix}${name}`);
      continue;
    }
    const nearest = findNearest(name, absentNames);
    if (nearest === undefined && additionalProperties === true) continue;
    const location = path === '' ? '' : ` of ${path}`;
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    const message = `${describeValue(name)} is not a known field${location} and was ignored.${hint}`;
    yield { code: 'unknown_field', field: `${prefix}${name.slice(0, 60)}`, message };
  }
}
