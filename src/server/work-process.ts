import type { Server } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { createBackground } from './background.ts';
import { type AppParts, createServices } from './make-services.ts';
import { createWorkServer } from './metrics-server.ts';
import { createMetricsReader } from './routes/operations.ts';

/** A process that does work and answers no requests of clients. */
interface WorkProcess {
  /** `/healthz`, `/readyz` and `/metrics`; not listening yet. */
  readonly server: Server;
  start(): Promise<void>;
  /** Finishes what runs within its grace, gives back the rest, and ends. */
  stop(): Promise<void>;
}

/** Makes a process that works on the store that its parts share with others. */
export async function createWorkProcess(
  parts: AppParts & { readonly logger: FastifyBaseLogger },
): Promise<WorkProcess> {
  const services = await createServices(parts, { kind: 'work', log: parts.logger, connections: undefined });
  const background = createBackground(services);
  const figures = createMetricsReader(services);
  const readiness = async () => {
    const database = await services.store.ping().then(
      () => true,
      () => false,
    );
    if (!database || services.programs.models === 'failed') return 'unavailable';
    return services.degraded() ? 'degraded' : 'ok';
  };
  return {
    server: createWorkServer(figures.read, readiness),
    start: () => background.start(),
    async stop() {
      await services.work.drain();
      await background.stop();
      figures.end();
    },
  };
}
