import { createBackground } from './background.ts';
import { ApiError } from './http/api-error.ts';
import type { App } from './http/app-type.ts';
import type { Connections } from './http/connections.ts';
import type { Services } from './services.ts';

/** When to come back to a service that is being stopped; a restart takes less. */
const RESTART_SECONDS = 5;

const makeClosingDownError = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'The service is being stopped; it finishes what runs.', {
    headers: { 'retry-after': String(RESTART_SECONDS) },
  });

/**
 * Registers the background work of a running app, and its end: what runs is finished, what comes is refused before it
 * is looked at.
 */
export function registerLifecycle(app: App, services: Services, connections: Connections): () => boolean {
  const { work, settings } = services;
  const background = createBackground(services);
  let closing = false;
  app.addHook('onReady', () => background.start());
  app.addHook('onRequest', async (request) => {
    if (closing && !request.routeOptions.config.whileClosing) throw makeClosingDownError();
  });
  app.addHook('preClose', async () => {
    closing = true;
    await work.drain();
    // From here on nobody gets more work done: what only half arrived must not hold up the end.
    connections.cut(false);
    setTimeout(() => connections.cut(true), settings.closeGraceMs).unref();
  });
  app.addHook('onClose', () => background.stop());
  return () => closing;
}
