import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VehiError } from '../../lib/errors.ts';
import { toUrlHost } from '../../lib/hosts.ts';
import type { ServeFlags } from './serve-settings.ts';

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
  try {
    server.listen(metricsPort, host);
    await once(server, 'listening');
  } catch (cause) {
    const message = `${host}:${metricsPort} cannot be used for metrics (${(cause as Error).message}).`;
    throw new VehiError('usage', 'CANNOT_LISTEN', message, { hint: 'Choose another --metrics-port.', cause });
  }
  const { port } = server.address() as AddressInfo;
  return `http://${toUrlHost(host)}:${port}/metrics`;
}

export function closeMetrics(server: Server): void {
  server.close();
  server.closeAllConnections();
}
