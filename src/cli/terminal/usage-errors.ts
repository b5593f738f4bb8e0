import { VehiError } from '../../lib/errors.ts';

/** Returns the error of flags or a request that cannot be used, with what to do about it. */
export const makeRequestError = (message: string, hint: string) =>
  new VehiError('usage', 'INVALID_REQUEST', message, { hint });

/** Returns the error of an option that cannot be used, with what to do about it. */
export const makeOptionError = (message: string, hint: string) =>
  new VehiError('usage', 'INVALID_OPTION', message, { hint });
