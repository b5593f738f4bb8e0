import type { Services } from '../services.ts';
import type { App } from './fastify-types.ts';

/** Content-Security-Policy of an HTML report: no origin, no requests of its own, and framed only by our page. */
export const REPORT_POLICY =
  "sandbox allow-scripts; default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Sets the common headers; times, counts and logs a request by its route, as the URL may contain a key. */
export function registerHeadersAndLog(app: App, { metrics, settings }: Services): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (settings.tls) reply.header('strict-transport-security', 'max-age=31536000');
  });

  app.addHook('onSend', async ({ query }, reply) => {
    // A cache must not keep a URL that contains a key.
    if ((query as Record<string, unknown>).api_key !== undefined) reply.header('cache-control', 'no-store');
  });

  app.addHook('onResponse', async (request, reply) => {
    const { method, caller } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    const ms = reply.elapsedTime;
    metrics.requests.observe({ method, route, status }, ms / 1000);
    request.log.info(
      {
        method,
        route,
        status,
        ms: Math.round(ms),
        client: request.ip,
        account: caller?.account.id,
        key: caller?.key.id,
      },
      'request',
    );
  });
}
