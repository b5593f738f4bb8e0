import { VehiError } from '../../lib/errors.ts';

/** Reasons why an address cannot be listened on, by system error code. */
const WHY_NOT: Readonly<Record<string, string>> = { EADDRINUSE: 'is in use.', EACCES: 'needs more rights.' };

/** Waits until a server listens on an address. @throws VehiError usage/CANNOT_LISTEN, or another error unchanged */
export async function awaitListening(work: Promise<unknown>, address: string, hint: string): Promise<void> {
  await work.catch((cause: NodeJS.ErrnoException) => {
    if (cause instanceof VehiError || cause.code === undefined) throw cause;
    const why = WHY_NOT[cause.code] ?? `cannot be used (${cause.message}).`;
    throw new VehiError('usage', 'CANNOT_LISTEN', `${address} ${why}`, { hint, cause });
  });
}
