import { once } from 'node:events';
import { type IncomingMessage, maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, type ErrorCode } from '../../contract/errors.ts';
import { ApiError, makeBodyTooLargeError, makeErrorEnvelope, toApiError } from './api-error.ts';
import type { App } from './fastify-types.ts';

/** Methods of each known path, to distinguish a wrong method from an unknown URL. */
interface MethodTable {
  add(url: string, methods: readonly string[]): void;
  listMethods(path: string): readonly string[];
}

/** Creates a table of `/a/:b` patterns. */
export function createMethodTable(): MethodTable {
  const rows: { pattern: RegExp; methods: Set<string> }[] = [];
  const methodsByUrl = new Map<string, Set<string>>();
  return {
    add(url, methods) {
      if (url.includes('*')) return;
      const existing = methodsByUrl.get(url);
      if (existing) {
        for (const method of methods) existing.add(method);
        return;
      }
      const set = new Set(methods);
      methodsByUrl.set(url, set);
      const source = url.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+');
      rows.push({ pattern: new RegExp(`^${source}$`), methods: set });
    },
    listMethods(path) {
      const allowed = rows.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods]);
      return [...new Set(allowed)].sort();
    },
  };
}

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

/** Rejects ambiguous requests (no Host or two, NUL in the URL) and unsupported expectations; proxies differ on them. */
export function registerAddressChecks(app: App): void {
  app.addHook('onRequest', async ({ raw, url }) => {
    const hosts = raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
    if (hosts > 1) throw new ApiError('INVALID_REQUEST', 'The request has more than one Host header.');
    if (hosts === 0 && raw.httpVersion === '1.1')
      throw new ApiError('INVALID_REQUEST', 'The request has no Host header.');
    if (/%00/.test(url)) throw new ApiError('INVALID_REQUEST', 'The address contains a NUL character.');
    const { expect } = raw.headers;
    if (expect !== undefined && expect.toLowerCase() !== '100-continue')
      throw new ApiError('INVALID_REQUEST', 'The header Expect may only be 100-continue.');
  });
}

/** Registers the handler that sends every failure in the error envelope; only the log shows a bug's stack. */
export function registerErrors(app: App, services: ErrorCounter, methods: MethodTable): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const apiError =
      error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
        ? makeBodyTooLargeError(request.routeOptions.bodyLimit)
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

/** Responds to a request that is not valid HTTP or timed out, and closes the connection. */
export function rejectMalformed(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  // Without TLS no response can be sent, and trying would keep the connection open forever.
  const isTlsError = /^ERR_(TLS|SSL)_/.test(error.code ?? '');
  if (error.code === 'ECONNRESET' || isTlsError || !socket.writable) {
    socket.destroy();
    return;
  }
  const isTimeout = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const code: ErrorCode = isTimeout
    ? 'REQUEST_TIMEOUT'
    : error.code === 'HPE_HEADER_OVERFLOW'
      ? 'PAYLOAD_TOO_LARGE'
      : 'INVALID_REQUEST';
  const message = isTimeout
    ? 'The request did not arrive in time.'
    : code === 'PAYLOAD_TOO_LARGE'
      ? `The headers of the request are larger than ${maxHeaderSize / 1024} KiB.`
      : 'This is not a valid HTTP request.';
  const body = JSON.stringify(makeErrorEnvelope(new ApiError(code, message), requestId));
  const head = [
    `HTTP/1.1 ${ERRORS[code].status} ${STATUS_CODES[ERRORS[code].status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ].join('\r\n');
  socket.end(`${head}\r\n\r\n${body}`);
}
