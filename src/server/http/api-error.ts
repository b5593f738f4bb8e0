import { ERRORS, type ErrorCode, isErrorCode } from '../../contract/errors.ts';
import { VehiError } from '../../lib/errors.ts';

/** An answer in the error envelope, thrown from anywhere below a route. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      field?: string;
      details?: Readonly<Record<string, unknown>>;
      headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.code = code;
    this.field = more.field;
    this.details = more.details;
    this.headers = more.headers ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** The envelope of an error. */
export function envelope(error: ApiError, requestId: string) {
  return {
    status: 'error' as const,
    error: {
      code: error.code,
      message: error.message,
      type: ERRORS[error.code].type,
      ...(error.field === undefined ? {} : { field: error.field }),
      ...(error.details === undefined ? {} : { details: { ...error.details } }),
    },
    meta: { request_id: requestId },
  };
}

const FASTIFY_ERRORS: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The request body is larger than this service takes.',
  },
  FST_REQ_FILE_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'An uploaded file is larger than 10 MB.' },
  FST_FILES_LIMIT: { code: 'TOO_MANY_IMAGES', message: 'More than 50 files were uploaded.' },
  FST_PARTS_LIMIT: { code: 'PAYLOAD_TOO_LARGE', message: 'The upload has too many parts.' },
  FST_FIELDS_LIMIT: { code: 'PAYLOAD_TOO_LARGE', message: 'The upload has too many fields.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the body as application/json (with that Content-Type).',
  },
  FST_INVALID_MULTIPART_CONTENT_TYPE: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'The multipart body has no boundary.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    code: 'INVALID_JSON',
    message: 'The request has no body; a JSON object is needed.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'INVALID_REQUEST',
    message: 'The body is not as long as Content-Length says.',
  },
  FST_ERR_BAD_URL: {
    code: 'INVALID_REQUEST',
    message: 'The address of the request is not a valid URL path.',
  },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'NOT_FOUND', message: 'There is nothing at this address.' },
};

/** What a failure becomes on the wire; undefined for a bug, whose text stays inside. */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof VehiError) return fromVehiError(error);
  if (isStorageFull(error)) {
    return new ApiError('SERVICE_UNAVAILABLE', 'The service has no room left to store the request.', {
      headers: { 'retry-after': '60' },
    });
  }
  const code = (error as { code?: unknown } | null)?.code;
  const known =
    typeof code === 'string' && Object.hasOwn(FASTIFY_ERRORS, code) ? FASTIFY_ERRORS[code] : undefined;
  return known && new ApiError(known.code, known.message);
}

function isStorageFull(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || /database or disk is full/.test(String(message));
}

function fromVehiError(error: VehiError): ApiError | undefined {
  const more = {
    ...(error.field === undefined ? {} : { field: error.field }),
    ...(error.details === undefined ? {} : { details: error.details }),
  };
  const message = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  if (isErrorCode(error.code)) return new ApiError(error.code, message, more);
  if (error.kind === 'input') return new ApiError('INVALID_REQUEST', message, more);
  if (error.kind === 'engine') {
    return new ApiError('SERVICE_UNAVAILABLE', 'The analysis is not available at the moment.', {
      details: { reason: error.code },
      headers: { 'retry-after': '30' },
    });
  }
  return undefined;
}
