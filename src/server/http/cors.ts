import type { App } from './app-type.ts';

/** Cross-origin answers for the listed origins; none are listed by default. */
export function registerCors(app: App, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !(origins.includes(origin) || origins.includes('*'))) return;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers':
        'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Location, Idempotency-Replayed',
    });
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      return reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
          'access-control-allow-headers':
            'Authorization, Content-Type, Idempotency-Key, Prefer, X-Vehi-Simulate',
          'access-control-max-age': '600',
        })
        .send();
    }
  });
}
