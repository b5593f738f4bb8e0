import { defineErrorEnvelope, envelop } from '../../contract/common.ts';
import { ERRORS, type ErrorCode } from '../../contract/errors.ts';
import type { Permission } from '../../domain/account.ts';
import { StringEnum, type TSchema, Type } from '../../lib/type.ts';
import { MISSING_CODES } from '../http/auth.ts';
import { COMMON_HEADERS, describeHeader, type Headers, RETRY_HEADERS } from '../http/openapi-document.ts';

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'No key, or not a valid one.',
  403: 'The key may not do this.',
  404: 'It does not exist, or it belongs to another account.',
  408: 'The request did not arrive in time.',
  409: 'The request conflicts with the current state: an Idempotency-Key used before with another body or still under way, a review that somebody else has changed or that cannot be made.',
  413: 'The body is too large.',
  415: 'The content type is not accepted.',
  422: 'A photo cannot be used, or a decision cannot be applied.',
  429: 'A limit of the account is reached.',
  500: 'A fault of the service.',
  503: 'The service is busy or closing; try again.',
};

const COMMON_CODES: readonly ErrorCode[] = [
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'INSUFFICIENT_PERMISSIONS',
  'RATE_LIMIT_EXCEEDED',
  'CONCURRENCY_LIMIT_EXCEEDED',
  'INVALID_REQUEST',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

/** Error codes of a request that may have a body. */
const BODY_CODES: readonly ErrorCode[] = [
  'INVALID_JSON',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** Returns the error responses of an operation by status, each listing its codes. */
function describeFailures(...codes: readonly ErrorCode[]): Record<number, TSchema> {
  const byStatus = new Map<number, ErrorCode[]>();
  // An id that does not match the route yields the same response as an unknown URL.
  const notFound: ErrorCode[] = codes.some((code) => ERRORS[code].status === 404) ? ['NOT_FOUND'] : [];
  for (const code of [...COMMON_CODES, ...codes, ...notFound]) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const types = [...new Set(group.map((code) => ERRORS[code].type))];
      const text = `${DESCRIPTIONS[status]} Codes: ${group.join(', ')}.`;
      const schema = defineErrorEnvelope(StringEnum(group), StringEnum(types));
      return [status, describeResponse(schema, text, ERROR_HEADERS[status])];
    }),
  );
}

const ERROR_HEADERS: Readonly<Record<number, Headers>> = {
  401: { 'WWW-Authenticate': describeHeader('`Bearer`, with `error` if a key was sent.') },
  429: RETRY_HEADERS,
  503: RETRY_HEADERS,
};
/** Header of a response that created a resource. */
export const LOCATION: Headers = { Location: describeHeader('Address of what was created.') };
/** Headers of a response whose result must be polled. */
export const POLL_HEADERS: Headers = { ...LOCATION, ...RETRY_HEADERS };

/** Describes a response in the OpenAPI document, with its own headers and the common ones. */
export function describeResponse<S extends TSchema>(
  schema: S,
  description: string,
  headers: Headers = {},
): S {
  return { ...schema, description, headers: { ...COMMON_HEADERS, ...headers } };
}

/** Headers of an operation that `runOnce` runs. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'Same key and body within 24 h: the stored answer.' }),
  ),
});

/** Describes a response in the success envelope. */
export const describeData = <S extends TSchema>(data: S, description: string) =>
  describeResponse(envelop(data), description);

/** Returns the schema of a response without a body. */
export const defineEmptyResponse = (description: string) => describeResponse(Type.Null(), description);

/** Callers authenticate with the header or, in the sandbox, the query. */
const SECURITY: { [name: string]: readonly string[] }[] = [{ bearer: [] }, { query: [] }];

/** Input, responses and error codes of an operation. */
export interface OperationSpec {
  readonly description?: string;
  readonly params?: TSchema & { readonly properties: object };
  readonly querystring?: TSchema;
  readonly headers?: TSchema;
  readonly body?: unknown;
  readonly response: Readonly<Record<number, TSchema>>;
  /** Error codes in addition to the common ones, and those of the body and of the resources in the path. */
  readonly codes?: readonly ErrorCode[];
}

/** Returns the error codes of the resources that a path names. */
const listMissingCodes = (params: OperationSpec['params'] = Type.Object({})): ErrorCode[] =>
  Object.entries(MISSING_CODES).flatMap(([word, code]) => (`${word}_id` in params.properties ? [code] : []));

/**
 * Returns functions that build the options of a GET route, and of one whose request may have a body: the entry in the
 * OpenAPI document under a tag, and the permission that a key needs; without a permission, any valid key suffices.
 */
export function defineOperations(tag: string, permission?: Permission) {
  const define =
    (methodCodes: readonly ErrorCode[]) =>
    <S extends OperationSpec>(
      operationId: string,
      summary: string,
      { codes = [], response, ...spec }: S,
    ) => ({
      config: permission === undefined ? {} : { permission },
      schema: {
        operationId,
        tags: [tag],
        summary,
        security: SECURITY,
        ...spec,
        response: {
          ...(response as S['response']),
          ...describeFailures(...methodCodes, ...listMissingCodes(spec.params), ...codes),
        },
      },
    });
  return { defineGet: define([]), defineWithBody: define(BODY_CODES) };
}
