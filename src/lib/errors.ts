/** What a failure means for the caller; the command line and the server each map it to their own codes. */
export type ErrorKind = 'usage' | 'input' | 'engine' | 'remote';

/** Returns the error for a field of a request whose value does not fit. */
export const makeFieldError = (field: string, message: string, hint: string) =>
  new VehiError('input', 'INVALID_REQUEST', message, { field, hint });

/** A failure that a user can fix: a code, a sentence that names the file or field, and what to do about it. */
export class VehiError extends Error {
  override readonly name = 'VehiError';
  readonly kind: ErrorKind;
  readonly code: string;
  readonly hint: string | undefined;
  /** Path of the request field at fault, e.g. `images[2].url`. */
  readonly field: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    kind: ErrorKind,
    code: string,
    message: string,
    more: Partial<Pick<VehiError, 'hint' | 'field' | 'details' | 'cause'>> = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.kind = kind;
    this.code = code;
    this.hint = more.hint;
    this.field = more.field;
    this.details = more.details;
  }
}
