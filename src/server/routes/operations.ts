import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/fastify-types.ts';
import { isSameSecret } from '../is-same-secret.ts';
import type { Services } from '../services.ts';

/** Sampling interval of the event loop delay in milliseconds. */
const SAMPLING_MS = 10;

/** Returns the service's metrics in Prometheus text format. */
export type ReadMetrics = () => Promise<{ type: string; text: string }>;

/** Updates the store's metrics; the other metrics are still served when the database is unreachable. */
async function updateStoreMetrics({ store, metrics, clock, settings }: Services): Promise<void> {
  const pool = store.pool?.getStats();
  if (pool) {
    metrics.databaseConnections.set({ state: 'busy' }, pool.connections - pool.idle);
    metrics.databaseConnections.set({ state: 'idle' }, pool.idle);
    metrics.databaseWaiting.set(pool.waiting);
  }
  try {
    const stats = await store.getStats(settings.environment);
    metrics.databaseBytes.set(stats.databaseBytes);
    for (const { kind, status, count } of stats.inspections) metrics.stored.set({ kind, status }, count);
    const { pending, oldestAt } = await store.webhooks.getBacklog(settings.environment);
    metrics.webhooksPending.set(pending);
    const ageMs = oldestAt === null ? 0 : clock.wallMs() - Date.parse(oldestAt);
    metrics.webhooksOldest.set(Math.max(0, ageMs / 1000));
    const liveProcesses = await store.processes.listLive();
    metrics.processes.reset();
    for (const { kind, version } of liveProcesses) metrics.processes.inc({ kind, version });
    metrics.databaseUp.set(1);
  } catch {
    metrics.databaseUp.set(0);
  }
}

/** Returns a function that updates the shared server's metrics, adding its counters since the last call. */
function createBackendUpdater({ readBackends, metrics }: Services): () => Promise<void> {
  let [restarts, substituted] = [0, 0];
  return async () => {
    const state = await readBackends();
    if (!state) return;
    metrics.redisUp.set(state.up ? 1 : 0);
    if (state.up) {
      metrics.redisMemory.set(state.memoryBytes);
      metrics.redisMemoryMax.set(state.memoryMaxBytes);
    }
    metrics.redisRestarts.inc(state.restarts - restarts);
    metrics.substituted.inc(state.substituted - substituted);
    [restarts, substituted] = [state.restarts, state.substituted];
  };
}

/** Creates the metrics reader; `end` stops the measurements. */
export function createMetricsReader(services: Services): { read: ReadMetrics; stop: () => void } {
  const { queue, metrics, uploadBudget, photoSlots } = services;
  const updateBackendMetrics = createBackendUpdater(services);
  const eventLoopDelay = monitorEventLoopDelay({ resolution: SAMPLING_MS });
  eventLoopDelay.enable();
  const read = async () => {
    metrics.collectProcess();
    metrics.queueWaiting.set(queue.waiting);
    metrics.queueRunning.set(queue.running);
    metrics.queueDelayed.set(queue.delayed);
    metrics.queueQuarantined.set(queue.quarantined);
    metrics.queueOldest.set(queue.oldestWaitMs() / 1000);
    metrics.uploadBytes.set(uploadBudget.usedBytes);
    metrics.photosTakenIn.set(photoSlots.active);
    await Promise.all([updateBackendMetrics(), updateStoreMetrics(services)]);
    // The histogram records the time between ticks; the excess over one tick is the delay.
    metrics.eventLoopLag.set(Math.max(0, eventLoopDelay.percentile(99) / 1e9 - SAMPLING_MS / 1000));
    eventLoopDelay.reset();
    return { type: metrics.registry.contentType, text: await metrics.registry.metrics() };
  };
  return { read, stop: () => void eventLoopDelay.disable() };
}

/** Checks that the settings allow this caller to read the metrics. @throws ApiError */
function checkMetricsReader(authorization: string | undefined, { settings }: Services): void {
  if (settings.metrics === 'open') return;
  if (settings.metrics === 'off') {
    throw new ApiError(
      'NOT_FOUND',
      'Metrics are served here with VEHI_METRICS_TOKEN only, or at a port of their own (--metrics-port).',
    );
  }
  if (isSameSecret(authorization ?? '', `Bearer ${settings.metrics.token}`)) return;
  throw new ApiError('INVALID_API_KEY', 'Metrics need the token of VEHI_METRICS_TOKEN as Bearer.', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/**
 * Registers `/` (service description), `/healthz` (liveness), `/readyz` (readiness: reads succeed, and jobs are
 * accepted while there is room), and `/metrics` (Prometheus).
 */
export function registerOperationRoutes(app: App, services: Services, isClosing: () => boolean): ReadMetrics {
  const { store, queue, programs, settings, links } = services;
  const hidden = { hide: true } as const;
  const probe = { config: { public: true, allowance: 'none', whileClosing: true }, schema: hidden } as const;
  const { read: readMetrics, stop } = createMetricsReader(services);
  app.addHook('onClose', async () => stop());

  app.get('/', { config: { public: true }, schema: hidden }, async () => ({
    status: 'success',
    data: {
      name: 'vehi',
      description: 'Inspects photos of a vehicle for damage and prices the repair.',
      version: settings.softwareVersion,
      environment: settings.environment,
      documentation_url: links.makeOperationUrl('/docs/'),
      ...(settings.app ? { app_url: links.makeOperationUrl('/app/') } : {}),
      openapi_url: links.makeOperationUrl('/v1/openapi.json'),
    },
  }));

  app.get('/healthz', probe, async () => ({ status: 'ok' }));

  app.get('/readyz', probe, async (_request, reply) => {
    const database = await store.ping().then(
      () => true,
      () => false,
    );
    const { models } = programs;
    // A service that is not ready gets no requests, so this probe must retry loading the models.
    if (models === 'failed') void programs.warmUp().catch(() => undefined);
    // A full queue rejects new jobs itself (503). Results stay readable, so the service stays ready.
    const hasCapacity = queue.waiting + queue.running < queue.limit;
    const isReady = database && models !== 'failed' && !isClosing();
    return reply.code(isReady ? 200 : 503).send({
      status: isReady ? (services.isDegraded() ? 'degraded' : 'ok') : 'unavailable',
      database,
      queue: hasCapacity,
      models,
      closing: isClosing(),
    });
  });

  app.get(
    '/metrics',
    { config: { public: true, whileClosing: true }, schema: hidden },
    async (request, reply) => {
      checkMetricsReader(request.headers.authorization, services);
      const { type, text } = await readMetrics();
      return reply.type(type).send(text);
    },
  );
  return readMetrics;
}
