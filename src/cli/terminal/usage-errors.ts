import { VehiError } from '../../lib/errors.ts';

/** Creates the error for unusable flags or requests, with a hint. */
export const makeRequestError = (message: string, hint: string) =>
  new VehiError('usage', 'INVALID_REQUEST', message, { hint });

/** Creates the error for an unusable option, with a hint. */
export const makeOptionError = (message: string, hint: string) =>
  new VehiError('usage', 'INVALID_OPTION', message, { hint });
