import type { FastifyRequest } from 'fastify';
import { findUnknownFields, type UnknownField } from '../../lib/unknown-fields.ts';

/** Returns warnings about fields that the schema does not define; empty if there are none. */
export function describeIgnored(schema: object, input: unknown): { readonly warnings?: UnknownField[] } {
  const warnings = [...findUnknownFields(schema, input)];
  return warnings.length === 0 ? {} : { warnings };
}

/** Returns a success envelope without `meta`. */
export const succeed = <D>(data: D) => ({ status: 'success' as const, data });

/** Returns a success envelope; `meta` lists the fields of a body, or of a GET's query, that the schema does not define. */
export function succeedWithWarnings<D>(data: D, schema: object, { id, method, body, query }: FastifyRequest) {
  const { api_key: _key, ...parameters } = query as Record<string, unknown>;
  const { warnings } = describeIgnored(schema, method === 'GET' ? parameters : body);
  return { ...succeed(data), ...(warnings && { meta: { request_id: id, warnings } }) };
}
