import { VehiError } from '../../lib/errors.ts';

/** Creates the error for unusable arguments, flags or requests, with a hint. */
export const makeUsageError = (message: string, hint: string) =>
  new VehiError('usage', 'INVALID_REQUEST', message, { hint });
