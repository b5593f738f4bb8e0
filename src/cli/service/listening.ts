import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toUrlHost } from '../../lib/hosts.ts';
import { awaitListening } from '../../server/http/listening.ts';
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
  const listening = once(server.listen(metricsPort, host), 'listening');
  await awaitListening(listening, host, metricsPort, '--metrics-port');
  const { port } = server.address() as AddressInfo;
  return `http://${toUrlHost(host)}:${port}/metrics`;
}

export function closeMetrics(server: Server): void {
  server.close();
  server.closeAllConnections();
}
