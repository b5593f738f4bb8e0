/** Failure category; the command line and the server each map it to their own codes. */
export type ErrorKind = 'usage' | 'input' | 'engine' | 'remote';

/** Creates the error for an invalid request field. */
export const makeFieldError = (field: string, message: string, hint: string) =>
  new VehiError('input', 'INVALID_REQUEST', message, { field, hint });

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
