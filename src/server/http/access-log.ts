import type { FastifyBaseLogger } from 'fastify';
import type { Services } from '../services.ts';
import type { App } from './app-type.ts';

/**
 * The log without its search for secrets, which costs more than the line: only for lines whose fields are all known to
 * hold none. A logger that does not redact is left as it is.
 */
function unredacted(log: FastifyBaseLogger): FastifyBaseLogger {
  return log.child({}, { redact: { paths: [] } });
}

/** Every request has an id, is timed, counted and logged, by its route: an address may hold a key or a signature. */
export function registerAccessLog(app: App, { metrics, settings, log }: Services): void {
  const lines = unredacted(log);

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (settings.tls) reply.header('strict-transport-security', 'max-age=31536000');
    done();
  });

  app.addHook('onResponse', (request, reply, done) => {
    const { method, caller } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    const ms = reply.elapsedTime;
    metrics.requests.observe(method, route, status, ms / 1000);
    lines.info(
      {
        reqId: request.id,
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
    done();
  });
}
