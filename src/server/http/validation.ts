import { findFaults, type SchemaRules } from '../../lib/check.ts';
import type { Schema } from '../../lib/check-value.ts';
import { describeValue, dropNulls, isObject, makeFaultsError } from '../../lib/fields.ts';
import { makeRequestError } from './api-error.ts';

/** A route's schema and the part of the request it describes. */
export interface RouteSchema {
  readonly schema: unknown;
  readonly httpPart?: string;
}

type ValidationResult = { readonly value: unknown } | { readonly error: Error };

const PLAIN_RULES: SchemaRules = { chooseCode: () => 'INVALID_REQUEST' };

/** Creates a validator. It checks bodies unchanged, and queries and paths after converting their integers. */
export function createValidator({ schema, httpPart }: RouteSchema, rules = PLAIN_RULES) {
  const objectSchema = schema as Schema;
  return (value: unknown): ValidationResult => {
    const input = httpPart === 'body' ? value : convertIntegers(objectSchema, value);
    if (!isObject(input))
      return { error: makeRequestError(`The body is ${describeValue(input)}; an object is needed.`) };
    const error = makeFaultsError(findFaults(objectSchema, input, rules));
    if (error) return { error };
    return { value: rules.nullIsAbsent ? dropNulls(input) : input };
  };
}

/** Converts the integers of a query or path, which arrive as text; other text stays unchanged and fails validation. */
function convertIntegers({ properties = {} }: Schema, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => {
      const isInteger = Object.hasOwn(properties, name) && properties[name]?.type === 'integer';
      return [name, isInteger && typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text];
    }),
  );
}
