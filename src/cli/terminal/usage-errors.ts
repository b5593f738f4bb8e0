import { VehiError } from '../../lib/errors.ts';

/** Creates the error for unusable flags or requests, with a hint. */
export const makeRequestError = (message: string, hint: string) =>
  new VehiError('usage', 'INVALID_REQUEST', message, { hint });

/** Creates the error for an unusable option, with a hint. */
export const makeOptionError = (message: string, hint: string) =>
  new VehiError('usage', 'INVALID_OPTION', message, { hint });

/** Creates the error for `--fail-on chargeable` without a standard. */
export const makeNoStandardError = () =>
  new VehiError('usage', 'INVALID_REQUEST', '--fail-on chargeable needs a standard.', {
    field: 'fail_on',
    hint: 'Add --standard bvrla-cars, rental-desk or a table of your own (docs/using/standards.md).',
  });
