import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import {
  ApiError,
  makeBodyTooLargeError,
  makeErrorEnvelope,
  makeMediaTypeError,
  toApiError,
} from './api-error.ts';
import type { App } from './fastify-types.ts';
import type { createMethodTable } from './method-table.ts';

interface ErrorCounter {
  readonly metrics: { readonly errors: { inc(labels: { code: string }): void } };
}

function sendError(
  error: ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
  services: ErrorCounter,
): FastifyReply {
  services.metrics.errors.inc({ code: error.code });
  return reply
    .code(error.status)
    .headers({ 'x-request-id': request.id, ...error.headers })
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(makeErrorEnvelope(error, request.id));
}

/** Time for which a rejected body is still read. */
const MAX_DRAIN_MS = 1_000;

/** Keeps reading briefly: closing a connection while the client still sends would lose the response. */
async function drainBriefly(body: IncomingMessage): Promise<void> {
  if (body.complete || body.destroyed) return;
  const abort = new AbortController();
  const bodyEnd = once(body, 'end', { signal: abort.signal }).catch(() => undefined);
  body.resume();
  await Promise.race([bodyEnd, sleep(MAX_DRAIN_MS)]);
  abort.abort();
}

/** Registers the handler that sends every failure in the error envelope; only the log shows a bug's stack. */
export function registerErrors(
  app: App,
  services: ErrorCounter,
  methods: Pick<ReturnType<typeof createMethodTable>, 'listMethods'>,
): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const { bodyLimit, schema } = request.routeOptions;
    const apiError =
      error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
        ? makeBodyTooLargeError(bodyLimit)
        : error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
          ? makeMediaTypeError(schema?.body)
          : toApiError(error);
    if (apiError?.code === 'PAYLOAD_TOO_LARGE') await drainBriefly(request.raw);
    if (apiError) return sendError(apiError, request, reply, services);
    request.log.error({ err: error }, 'unexpected failure');
    return sendError(
      new ApiError('INTERNAL_ERROR', 'Something went wrong on our side.'),
      request,
      reply,
      services,
    );
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.listMethods(request.url.split('?')[0] ?? '');
    const error =
      allowed.length > 0
        ? new ApiError('METHOD_NOT_ALLOWED', `This address accepts ${allowed.join(', ')}.`, {
            headers: { allow: allowed.join(', ') },
          })
        : new ApiError('NOT_FOUND', 'There is nothing at this address.');
    return sendError(error, request, reply, services);
  });
}
