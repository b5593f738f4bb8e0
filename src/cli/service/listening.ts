import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VehiError } from '../../lib/errors.ts';
import { toUrlHost } from '../../lib/hosts.ts';
import type { ServeFlags } from './serve-settings.ts';

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

/**
 * Listens for metrics requests on the same host, if the flags name a port for them.
 * @returns the address of the metrics
 * @throws VehiError usage/CANNOT_LISTEN
 */
export async function listenForMetrics(
  server: Server,
  { host, metricsPort }: Pick<ServeFlags, 'host' | 'metricsPort'>,
): Promise<string | undefined> {
  if (metricsPort === undefined) return undefined;
  const listening = once(server.listen(metricsPort, host), 'listening');
  await awaitListening(listening, `${toUrlHost(host)}:${metricsPort}`, 'Choose another --metrics-port.');
  const { port } = server.address() as AddressInfo;
  return `http://${toUrlHost(host)}:${port}/metrics`;
}

export function closeMetrics(server: Server): void {
  server.close();
  server.closeAllConnections();
}
