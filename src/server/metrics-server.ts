import { createServer, type Server, type ServerResponse } from 'node:http';
import type { ReadMetrics } from './routes/operations.ts';

/** Serves only `/metrics`, on a port that API clients need not reach. */
export function createMetricsServer(readMetrics: ReadMetrics): Server {
  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    if (request.url?.split('?')[0] === '/metrics') sendMetrics(readMetrics, response);
    else response.writeHead(404).end();
  });
}

function sendMetrics(readMetrics: ReadMetrics, response: ServerResponse): void {
  readMetrics().then(
    ({ type, text }) => response.writeHead(200, { 'content-type': type }).end(text),
    () => response.writeHead(503).end(),
  );
}

/** Serves `/healthz`, `/readyz` and `/metrics` of a worker-only process. */
export function createWorkServer(
  readMetrics: ReadMetrics,
  readiness: () => Promise<'ok' | 'unavailable'>,
): Server {
  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    const sendJson = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const path = request.url?.split('?')[0];
    if (path === '/metrics') sendMetrics(readMetrics, response);
    else if (path === '/healthz') sendJson(200, { status: 'ok' });
    else if (path === '/readyz') {
      void readiness().then((status) => sendJson(status === 'unavailable' ? 503 : 200, { status }));
    } else response.writeHead(404).end();
  });
}
