import { createServer, type Server, type ServerResponse } from 'node:http';
import type { ReadMetrics } from './routes/operations.ts';

/** Serves only `/metrics`, on a port that API clients need not reach. */
export function createMetricsServer(readMetrics: ReadMetrics): Server {
  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    if (request.url?.split('?')[0] === '/metrics') sendMetrics(readMetrics, response);
    else response.writeHead(404).end();
  });
}

/** Answers with the metrics, or 503. */
export function sendMetrics(readMetrics: ReadMetrics, response: ServerResponse): void {
  readMetrics().then(
    ({ type, text }) => response.writeHead(200, { 'content-type': type }).end(text),
    () => response.writeHead(503).end(),
  );
}
