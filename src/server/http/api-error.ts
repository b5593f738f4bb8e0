import { ERRORS, type ErrorCode, isErrorCode } from '../../contract/errors.ts';
import { MAX_IMAGES } from '../../domain/photo-limits.ts';
import { VehiError } from '../../lib/errors.ts';
import { defined } from '../../lib/objects.ts';
import { StorageUnavailableError, StoreRefusedError } from '../../storage/ports.ts';

/** An error response in the contract's envelope, thrown anywhere below a route. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: Partial<Pick<ApiError, 'field' | 'details' | 'headers'>> = {},
  ) {
    super(message);
    this.code = code;
    this.field = options.field;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Returns the error for a request that is not valid, and names its field if one is to blame. */
export const makeRequestError = (message: string, field?: string): ApiError =>
  new ApiError('INVALID_REQUEST', message, { field });

export function makeErrorEnvelope(error: ApiError, requestId: string) {
  return {
    status: 'error' as const,
    error: {
      code: error.code,
      message: error.message,
      type: ERRORS[error.code].type,
      ...defined({ field: error.field, details: error.details }),
    },
    meta: { request_id: requestId },
  };
}

/** Returns the error for an address without a resource. */
export const makeNotFoundError = (message = 'There is nothing at this address.'): ApiError =>
  new ApiError('NOT_FOUND', message);

/** Errors of Fastify, its plugins and PostgreSQL that are faults of the request, by their codes. */
const REQUEST_ERRORS: Readonly<Record<string, ConstructorParameters<typeof ApiError>>> = {
  FST_FILES_LIMIT: ['TOO_MANY_IMAGES', `More than ${MAX_IMAGES} files were uploaded.`, { field: 'images' }],
  FST_FIELDS_LIMIT: [
    'PAYLOAD_TOO_LARGE',
    'The upload has too many fields; the part "request" is the only one that is read.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['INVALID_REQUEST', 'The body is not as long as Content-Length says.'],
  FST_ERR_BAD_URL: ['INVALID_REQUEST', 'The address of the request is not a valid URL path.'],
  // PostgreSQL cannot store NUL in text.
  22021: ['INVALID_REQUEST', 'The request contains a NUL character.'],
};

/** Converts a failure to an API error; undefined for a bug, whose message must not leave the process. */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof VehiError) return fromVehiError(error);
  const code = String((error as { readonly code?: unknown } | null)?.code);
  const known = Object.hasOwn(REQUEST_ERRORS, code) ? REQUEST_ERRORS[code] : undefined;
  return toStorageError(error) ?? (known ? new ApiError(...known) : toClientError(error));
}

/** Returns the error of a service that cannot serve a request now; `reason` says to programs what is exhausted. */
export const makeUnavailableError = (message: string, retrySeconds: number, reason?: string) =>
  new ApiError('SERVICE_UNAVAILABLE', message, {
    details: reason === undefined ? undefined : { reason },
    headers: { 'retry-after': String(retrySeconds) },
  });

/** Returns the error of a stopping service; a restart takes less time than the suggested delay. */
export const makeStoppingError = () =>
  makeUnavailableError('The service is being stopped; it finishes the running requests.', 5);

/** Message and seconds until a retry, by the reason for which a store refuses a request. */
const REFUSALS: Record<StoreRefusedError['reason'], [message: string, retrySeconds: number]> = {
  full: ['The service has no room left to store the request.', 60],
  locked: ['The database is locked by another process; try again.', 1],
  replaced: ['The database of the service was replaced; its operator has to restart it.', 60],
};

/** Converts a failure caused by a full, locked, unreachable or replaced store; undefined for any other. */
function toStorageError(error: unknown): ApiError | undefined {
  if (error instanceof StorageUnavailableError)
    return makeUnavailableError('The store of the service cannot be reached; try again.', 5);
  if (error instanceof StoreRefusedError) return makeUnavailableError(...REFUSALS[error.reason]);
  const code = (error as { readonly code?: unknown } | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT' ? makeUnavailableError(...REFUSALS.full) : undefined;
}

/** Returns true if the store is full, locked, unreachable or replaced, so a retry may succeed later. */
export const isStorageFailure = (error: unknown): boolean => toStorageError(error) !== undefined;

const CODES_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  403: 'NOT_FOUND',
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  414: 'NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  416: 'RANGE_NOT_SATISFIABLE',
};

/** Converts a plugin's rejection (4xx) or a client's disconnect while sending; neither is a fault of the service. */
function toClientError(error: unknown): ApiError | undefined {
  const { statusCode, code, message } = (error ?? {}) as Record<string, unknown>;
  if (code === 'ECONNRESET' || message === 'aborted' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return makeRequestError('The connection ended before the request was complete.');
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return undefined;
  const mapped = CODES_BY_STATUS[statusCode] ?? 'INVALID_REQUEST';
  if (mapped === 'NOT_FOUND') return makeNotFoundError();
  return new ApiError(mapped, 'The request cannot be answered as it is.');
}

function fromVehiError(error: VehiError): ApiError | undefined {
  const { field, details } = error;
  const options = { field, details };
  const message = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  if (isErrorCode(error.code)) return new ApiError(error.code, message, options);
  if (error.kind === 'input') return new ApiError('INVALID_REQUEST', message, options);
  if (error.kind === 'engine')
    return makeUnavailableError('The analysis is not available at the moment.', 30, error.code);
  return undefined;
}
