import { describeFound, isObject } from './fields.ts';
import type { Schema } from './judge-value.ts';
import { findNearest } from './nearest.ts';

/** Maximum unknown fields listed per value. */
const MOST = 20;

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
  const unknown: UnknownField[] = [];
  for (const one of walk(schema as Schema, value, '')) {
    unknown.push(one);
    if (unknown.length === MOST) break;
  }
  return unknown;
}

function* walk(schema: Schema, value: unknown, path: string): Generator<UnknownField> {
  const { items, properties, additionalProperties } = schema;
  if (items !== undefined && Array.isArray(value))
    for (const [index, entry] of value.entries()) yield* walk(items, entry, `${path}[${index}]`);
  if (properties === undefined || !isObject(value)) return;
  const missing = Object.keys(properties).filter((name) => value[name] === undefined);
  const prefix = path === '' ? '' : `${path}.`;
  for (const [name, one] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (inner !== undefined) {
      yield* walk(inner, one, `${prefix}${name}`);
      continue;
    }
    const near = findNearest(name, missing);
    if (near !== undefined || additionalProperties !== true) yield makeUnknownField(prefix, name, near);
  }
}

function makeUnknownField(prefix: string, name: string, near: string | undefined): UnknownField {
  const place = prefix === '' ? '' : ` of ${prefix.slice(0, -1)}`;
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return {
    code: 'unknown_field',
    field: `${prefix}${name.slice(0, 60)}`,
    message: `${describeFound(name)} is no known field${place} and was ignored.${hint}`,
  };
}
