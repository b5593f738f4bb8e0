import { VehiError } from '../../lib/errors.ts';
import { toUrlHost } from '../../lib/hosts.ts';

/**
 * Waits until a server listens on the host and port that flags of a command name.
 * @param flag flag of the port
 * @throws VehiError usage CANNOT_LISTEN
 */
export async function awaitListening(work: Promise<unknown>, host: string, port: number, flag = '--port') {
  await work.catch((cause: NodeJS.ErrnoException) => {
    if (cause.syscall === undefined) throw cause;
    const why = { EADDRINUSE: 'is in use', EACCES: 'needs more rights' }[cause.code ?? ''];
    const message = `${toUrlHost(host)}:${port} ${why ?? `cannot be used (${cause.message})`}.`;
    const hint = `Choose another ${why === undefined ? '--host' : flag}.`;
    throw new VehiError('usage', 'CANNOT_LISTEN', message, { hint, cause });
  });
}
