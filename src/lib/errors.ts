/** Failure category; the command line and the server each map it to their own codes. */
export type ErrorKind = 'usage' | 'input' | 'engine' | 'remote';

/** Creates the error for an invalid request field. */
export const makeFieldError = (field: string, message: string, hint: string) =>
  new VehiError('input', 'INVALID_REQUEST', message, { field, hint });

/** Creates the error for unusable arguments, flags or requests, with a hint. */
export const makeUsageError = (message: string, hint: string) =>
  new VehiError('usage', 'INVALID_REQUEST', message, { hint });

/** A failure that the user can fix: code, message naming the file or field, and a hint. */
export class VehiError extends Error {
  override readonly name = 'VehiError';
  readonly kind: ErrorKind;
  readonly code: string;
  readonly hint: string | undefined;
  /** Path of the invalid request field, e.g. `images[2].url`. */
  readonly field: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    kind: ErrorKind,
    code: string,
    message: string,
    options: Partial<Pick<VehiError, 'hint' | 'field' | 'details' | 'cause'>> = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.code = code;
    this.hint = options.hint;
    this.field = options.field;
    this.details = options.details;
  }
}

/**
 * Returns the reason of a failure for the end of a message that already names the file. Errors about files are stripped
 * of code, call and path, because the path may be temporary.
 */
export function toReason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return cause.message;
  if (code === 'EISDIR') return 'it is a folder';
  return cause.message.replace(/^[A-Z0-9_]+: /, '').replace(/, \w+(?: '.*)?$/s, '');
}
