import type { FastifyBaseLogger } from 'fastify';
import { createBackground } from './background.ts';
import { createMetricsServer } from './metrics-server.ts';
import { createMetricsReader, isReachable } from './routes/operations.ts';
import { type AppParts, createServices } from './services.ts';

/** Creates a process that runs jobs from a shared store and serves no client requests. */
export async function createWorkProcess(parts: AppParts & { readonly logger: FastifyBaseLogger }) {
  const services = await createServices(parts, { kind: 'work', log: parts.logger });
  const background = createBackground(services);
  const { store, backend } = services;
  const isReady = async () => (await isReachable(store)) && backend.models !== 'failed';
  return {
    /** Serves `/healthz`, `/readyz` and `/metrics`; not listening yet. */
    server: createMetricsServer(createMetricsReader(services), isReady),
    start: () => background.start(),
    /** Finishes running jobs within the grace period, gives back the rest, and stops. */
    async stop() {
      await services.queue.drain();
      await background.stop();
    },
  };
}
