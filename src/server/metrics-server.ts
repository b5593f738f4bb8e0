import { createServer, type Server } from 'node:http';
import type { ReadMetrics } from './routes/operations.ts';

/** Serves `/metrics` alone, at a port that clients of the API need not reach. */
export function createMetricsServer(readMetrics: ReadMetrics): Server {
  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    readMetrics().then(
      ({ type, text }) => response.writeHead(200, { 'content-type': type }).end(text),
      () => response.writeHead(503).end(),
    );
  });
}
