import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { rejectMalformed } from './http/servers.ts';
import type { ReadMetrics } from './routes/operations.ts';

/** Serves `/metrics` on a separate port that API clients need not reach; given `isReady`, also `/healthz` and `/readyz`. */
export function createMetricsServer(readMetrics: ReadMetrics, isReady?: () => Promise<boolean>): Server {
  const paths = isReady ? ['/metrics', '/healthz', '/readyz'] : ['/metrics'];
  async function answer({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = url?.split('?')[0] ?? '';
    const isServed = paths.includes(path);
    if (!isServed || (method !== 'GET' && method !== 'HEAD')) {
      if (isServed) response.setHeader('allow', 'GET, HEAD');
      response.writeHead(isServed ? 405 : 404, { 'content-type': 'text/plain' });
      response.end(`This port answers GET ${paths.join(', ')}.\n`);
    } else if (path === '/metrics') {
      const { type, text } = await readMetrics();
      response.writeHead(200, { 'content-type': type }).end(text);
    } else {
      const isOk = path === '/healthz' || (await isReady?.()) === true;
      response.writeHead(isOk ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ status: isOk ? 'ok' : 'unavailable' }));
    }
  }
  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    answer(request, response).catch(() => response.writeHead(503).end());
  }).on('clientError', (error, socket: Socket) => rejectMalformed(error, socket, randomUUID()));
}
