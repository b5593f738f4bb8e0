/**
 * Every error code of the service with its HTTP status and `type`. The first seven are the contract's; the rest cover
 * cases it leaves open.
 */
export const ERRORS = {
  MISSING_API_KEY: { status: 401, type: 'authentication_error' },
  INVALID_API_KEY: { status: 401, type: 'authentication_error' },
  INSUFFICIENT_PERMISSIONS: { status: 403, type: 'authorization_error' },
  INSUFFICIENT_IMAGES: { status: 400, type: 'validation_error' },
  IMAGE_QUALITY_TOO_LOW: { status: 422, type: 'validation_error' },
  INVALID_DAMAGE_DATA: { status: 400, type: 'validation_error' },
  INSPECTION_NOT_FOUND: { status: 404, type: 'not_found_error' },

  ASSESSMENT_NOT_FOUND: { status: 404, type: 'not_found_error' },
  WEBHOOK_NOT_FOUND: { status: 404, type: 'not_found_error' },
  PHOTO_NOT_KEPT: { status: 404, type: 'not_found_error' },
  UPLOAD_NOT_FOUND: { status: 404, type: 'not_found_error' },
  KEY_NOT_FOUND: { status: 404, type: 'not_found_error' },
  NOT_FOUND: { status: 404, type: 'not_found_error' },
  INVALID_REQUEST: { status: 400, type: 'validation_error' },
  INVALID_JSON: { status: 400, type: 'validation_error' },
  INVALID_REGION: { status: 400, type: 'validation_error' },
  INVALID_CURRENCY: { status: 400, type: 'validation_error' },
  TOO_MANY_IMAGES: { status: 400, type: 'validation_error' },
  IMAGE_TOO_LARGE: { status: 422, type: 'validation_error' },
  UNSUPPORTED_IMAGE_FORMAT: { status: 422, type: 'validation_error' },
  IMAGE_UNREADABLE: { status: 422, type: 'validation_error' },
  IMAGE_FETCH_FAILED: { status: 422, type: 'validation_error' },
  INVALID_DECISIONS: { status: 422, type: 'validation_error' },
  PART_NEEDED: { status: 422, type: 'validation_error' },
  NOT_PRICEABLE: { status: 422, type: 'validation_error' },
  METHOD_NOT_ALLOWED: { status: 405, type: 'invalid_request_error' },
  REQUEST_TIMEOUT: { status: 408, type: 'invalid_request_error' },
  NOTHING_TO_REVIEW: { status: 409, type: 'conflict_error' },
  REVIEW_CONFLICT: { status: 409, type: 'conflict_error' },
  IDEMPOTENCY_CONFLICT: { status: 409, type: 'conflict_error' },
  PAYLOAD_TOO_LARGE: { status: 413, type: 'invalid_request_error' },
  RANGE_NOT_SATISFIABLE: { status: 416, type: 'invalid_request_error' },
  HEADERS_TOO_LARGE: { status: 431, type: 'invalid_request_error' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, type: 'invalid_request_error' },
  RATE_LIMIT_EXCEEDED: { status: 429, type: 'rate_limit_error' },
  CONCURRENCY_LIMIT_EXCEEDED: { status: 429, type: 'rate_limit_error' },
  INTERNAL_ERROR: { status: 500, type: 'server_error' },
  SERVICE_UNAVAILABLE: { status: 503, type: 'server_error' },
} as const;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

/** Returns whether a text is a code of the table (own keys only). */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
