import { VehiError } from '../../lib/errors.ts';

/** Creates the error for a database whose schema is newer than this version of vehi. */
export function makeTooNewError(
  name: string,
  version: number,
  knownVersion: number,
  hint: string,
): VehiError {
  const message = `${name}: schema version ${version}, this vehi knows ${knownVersion}.`;
  return new VehiError('usage', 'DATABASE_TOO_NEW', message, { hint });
}
