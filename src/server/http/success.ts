import type { FastifyRequest } from 'fastify';
import { findUnknownFields, type UnknownField } from '../../lib/unknown-fields.ts';

/** Returns warnings about fields that the schema does not define; absent if there are none. */
export function describeIgnored(
  schema: object,
  input: unknown,
): { readonly meta?: { readonly warnings: UnknownField[] } } {
  const warnings = [...findUnknownFields(schema, input)];
  return warnings.length === 0 ? {} : { meta: { warnings } };
}

/** Returns the query of a request without its key. */
export function readParameters({ query }: FastifyRequest): object {
  const { api_key: _key, ...parameters } = query as Record<string, unknown>;
  return parameters;
}

/** Returns a success envelope; given an input and its schema, with warnings about fields that are misspelled. */
export const succeed = <D>(data: D, schema?: object, input?: unknown) => ({
  status: 'success' as const,
  data,
  ...(schema && describeIgnored(schema, input)),
});
