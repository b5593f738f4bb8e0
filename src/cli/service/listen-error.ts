import { VehiError } from '../../lib/errors.ts';

/** Reasons why an address cannot be listened on, by system error code. */
const WHY_NOT: Readonly<Record<string, string>> = { EADDRINUSE: 'is in use', EACCES: 'needs more rights' };

/** Creates the error for an address that cannot be listened on; an error of another kind is returned as it is. */
export function makeListenError(cause: unknown, address: string, hint: string): unknown {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (cause instanceof VehiError || code === undefined) return cause;
  const why = WHY_NOT[code] ?? `cannot be used (${message})`;
  return new VehiError('usage', 'CANNOT_LISTEN', `${address} ${why}`, { hint, cause });
}
