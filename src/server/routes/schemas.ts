import type { TSchema } from 'typebox';
import { ErrorEnvelopeSchema } from '../../contract/common.ts';
import { ERRORS, type ErrorCode } from '../../contract/errors.ts';

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'No key, or not a valid one.',
  403: 'The key may not do this.',
  404: 'There is no such thing, or it belongs to another account.',
  405: 'The address does not take this method.',
  408: 'The request did not arrive in time.',
  409: 'The Idempotency-Key was used before with another body, or its first request is under way.',
  413: 'The body is too large.',
  415: 'The content type is not taken.',
  422: 'A photo cannot be used.',
  429: 'A limit of the plan is reached.',
  500: 'A fault of the service.',
  503: 'The service is busy or closing; try again.',
};

const COMMON: readonly ErrorCode[] = [
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'INSUFFICIENT_PERMISSIONS',
  'RATE_LIMIT_EXCEEDED',
  'CONCURRENCY_LIMIT_EXCEEDED',
  'INVALID_REQUEST',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

/** Codes of an operation that takes a JSON body, beside its own. */
export const BODY_CODES: readonly ErrorCode[] = [
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** The error answers of an operation, by status, each naming its codes. */
export function failures(...codes: ErrorCode[]): Record<number, TSchema> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...COMMON, ...codes]) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      { ...ErrorEnvelopeSchema, description: `${DESCRIPTIONS[status]} Codes: ${names.join(', ')}.` },
    ]),
  );
}

/** Describes an answer in the OpenAPI document. */
export function described<S extends TSchema>(schema: S, description: string): S {
  return { ...schema, description };
}

/** Callers authenticate with the header or, in the sandbox, the query. */
export const SECURITY: { [name: string]: readonly string[] }[] = [{ bearer: [] }, { query: [] }];
