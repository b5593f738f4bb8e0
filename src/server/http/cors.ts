import type { FastifyCorsOptions } from '@fastify/cors';

/** Returns the CORS options: pages of the listed origins may use any method and read the exposed response headers. */
export function makeCorsOptions(origins: readonly string[]): FastifyCorsOptions {
  return {
    origin: (origin, done) =>
      done(null, origin !== undefined && (origins.includes(origin) || origins.includes('*'))),
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Prefer', 'X-Vehi-Simulate'],
    exposedHeaders: [
      'X-Request-Id',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Location',
      'Idempotency-Replayed',
    ],
    maxAge: 600,
    // The plugin's own rejection would lack the envelope.
    strictPreflight: false,
  };
}
