import type { Store } from '../../storage/ports.ts';
import { makeNotFoundError } from '../http/api-error.ts';
import type { App } from '../http/fastify-types.ts';
import type { Services } from '../services.ts';

/** Returns the service's metrics in Prometheus text format. */
export type ReadMetrics = () => Promise<{ type: string; text: string }>;

/** Returns true if the database answers. */
export const isReachable = (store: Store): Promise<boolean> =>
  store.ping().then(
    () => true,
    () => false,
  );

/** Updates the store's metrics; the other metrics are still served when the database is unreachable. */
async function updateStoreMetrics({ store, metrics, clock, settings, log }: Services): Promise<void> {
  try {
    const { pending, oldestAt } = await store.webhooks.getBacklog(settings.environment);
    metrics.webhooksPending.set(pending);
    const ageMs = oldestAt === null ? 0 : clock.wallMs() - Date.parse(oldestAt);
    metrics.webhooksOldest.set(Math.max(0, ageMs / 1000));
    const liveProcesses = await store.processes.listLive();
    metrics.processes.reset();
    for (const { kind, version } of liveProcesses) metrics.processes.inc({ kind, version });
    metrics.databaseUp.set(1);
  } catch (error) {
    log.warn({ err: error }, 'the metrics of the store could not be read');
    metrics.databaseUp.set(0);
  }
}

export function createMetricsReader(services: Services): ReadMetrics {
  const { queue, metrics, uploadBudget, photoSlots } = services;
  return async () => {
    metrics.collectProcess();
    const { waiting, running, delayed, oldestWaitMs } = queue.getCounts();
    metrics.queueWaiting.set(waiting);
    metrics.queueRunning.set(running);
    metrics.queueDelayed.set(delayed);
    metrics.queueOldest.set(oldestWaitMs / 1000);
    metrics.uploadBytes.set(uploadBudget.usedBytes);
    metrics.photosTakenIn.set(photoSlots.active);
    await updateStoreMetrics(services);
    return { type: metrics.registry.contentType, text: await metrics.registry.metrics() };
  };
}

/**
 * Registers `/` (redirects to the page), `/healthz` (liveness), `/readyz` (readiness: reads succeed, and jobs are
 * accepted while there is room), and `/metrics` (Prometheus).
 */
export function registerOperationRoutes(app: App, services: Services, isClosing: () => boolean): ReadMetrics {
  const { store, queue, backend, settings } = services;
  const hidden = { hide: true } as const;
  const probe = { config: { public: true, allowance: 'none', whileClosing: true }, schema: hidden } as const;
  const readMetrics = createMetricsReader(services);

  app.get('/', { config: { public: true }, schema: hidden }, async (_request, reply) =>
    reply.redirect('app/', 302),
  );

  app.get('/healthz', probe, async () => ({ status: 'ok' }));

  app.get('/readyz', probe, async (_request, reply) => {
    const database = await isReachable(store);
    const { models } = backend;
    // A service that is not ready gets no requests, so this probe must retry loading the models.
    if (models === 'failed') void backend.warmUp().catch(() => undefined);
    // A full queue rejects new jobs itself (503). Results stay readable, so the service stays ready.
    const { waiting, running } = queue.getCounts();
    const hasCapacity = waiting + running < queue.limit;
    const isReady = database && models !== 'failed' && !isClosing();
    return reply.code(isReady ? 200 : 503).send({
      status: isReady ? 'ok' : 'unavailable',
      database,
      queue: hasCapacity,
      models,
      closing: isClosing(),
    });
  });

  app.get(
    '/metrics',
    { config: { public: true, whileClosing: true }, schema: hidden },
    async (_request, reply) => {
      if (!settings.opensMetrics)
        throw makeNotFoundError('Metrics are served at a port of their own (--metrics-port).');
      const { type, text } = await readMetrics();
      return reply.type(type).send(text);
    },
  );
  return readMetrics;
}
