import { createServer } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { createBackground } from './background.ts';
import { sendMetrics } from './metrics-server.ts';
import { createMetricsReader } from './routes/operations.ts';
import { type AppParts, createServices } from './services.ts';

/** Creates a process that runs jobs from a shared store and serves no client requests. */
export async function createWorkProcess(parts: AppParts & { readonly logger: FastifyBaseLogger }) {
  const services = await createServices(parts, { kind: 'work', log: parts.logger });
  const background = createBackground(services);
  const readMetrics = createMetricsReader(services);
  const { store, programs } = services;
  const isReady = () =>
    store.ping().then(
      () => programs.models !== 'failed',
      () => false,
    );
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    const sendJson = (code: number, status: string) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ status }));
    const path = request.url?.split('?')[0];
    if (path === '/metrics') sendMetrics(readMetrics, response);
    else if (path === '/healthz') sendJson(200, 'ok');
    else if (path === '/readyz')
      void isReady().then((ready) => (ready ? sendJson(200, 'ok') : sendJson(503, 'unavailable')));
    else response.writeHead(404).end();
  });
  return {
    /** Serves `/healthz`, `/readyz` and `/metrics`; not listening yet. */
    server,
    start: () => background.start(),
    /** Finishes running jobs within the grace period, gives back the rest, and stops. */
    async stop() {
      await services.queue.drain();
      await background.stop();
    },
  };
}
