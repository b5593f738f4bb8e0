import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { App } from '../http/app-type.ts';
import type { Services } from '../services.ts';

/** Time between two looks at the event loop's delay. */
const TICK_MS = 10;

/** `/healthz` (the process answers), `/readyz` (it can take work), `/metrics` (Prometheus). */
export function operationRoutes(app: App, services: Services, isClosing: () => boolean): void {
  const { store, queue, metrics, programs } = services;
  const quiet = { config: { public: true, whileClosing: true }, schema: { hide: true } } as const;
  const delay = monitorEventLoopDelay({ resolution: TICK_MS });
  delay.enable();
  app.addHook('onClose', async () => {
    delay.disable();
  });

  app.get('/healthz', quiet, async () => ({ status: 'ok' }));

  app.get('/readyz', quiet, async (_request, reply) => {
    const database = await store.ping().then(
      () => true,
      () => false,
    );
    const room = queue.waiting + queue.running < queue.limit;
    const { models } = programs;
    // Nobody sends work to a service that is not ready: it has to find out by itself that the files are back.
    if (models === 'failed') void programs.warmUp().catch(() => undefined);
    const ready = database && room && models !== 'failed' && !isClosing();
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unavailable', database, queue: room, models, closing: isClosing() });
  });

  app.get('/metrics', quiet, async (_request, reply) => {
    metrics.queueWaiting.set(queue.waiting);
    metrics.queueRunning.set(queue.running);
    // The histogram holds the time between ticks; what exceeds the tick is the delay.
    metrics.eventLoopLag.set(Math.max(0, delay.percentile(99) / 1e9 - TICK_MS / 1000));
    delay.reset();
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}
