import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { rejectMalformed } from './http/servers.ts';
import type { ReadMetrics } from './routes/operations.ts';

/** Serves `/metrics` on a separate port that API clients need not reach; given `isReady`, also `/healthz` and `/readyz`. */
export function createMetricsServer(readMetrics: ReadMetrics, isReady?: () => Promise<boolean>): Server {
  async function answer(path: string | undefined, response: ServerResponse): Promise<void> {
    if (path === '/metrics') {
      const { type, text } = await readMetrics();
      response.writeHead(200, { 'content-type': type }).end(text);
    } else if (isReady && (path === '/healthz' || path === '/readyz')) {
      const isOk = path === '/healthz' || (await isReady());
      response.writeHead(isOk ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ status: isOk ? 'ok' : 'unavailable' }));
    } else response.writeHead(404).end();
  }
  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    answer(request.url?.split('?')[0], response).catch(() => response.writeHead(503).end());
  }).on('clientError', (error, socket: Socket) => rejectMalformed(error, socket, randomUUID()));
}
