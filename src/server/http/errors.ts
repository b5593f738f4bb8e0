import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyError, FastifyRequest } from 'fastify';
import { ApiError, makeErrorEnvelope, makeNotFoundError, toApiError } from './api-error.ts';
import { MAX_JSON_BYTES } from './bodies.ts';
import type { App } from './fastify-types.ts';

/** Creates a table of the methods of each `/a/:b` pattern, to distinguish a wrong method from an unknown URL. */
function createMethodTable() {
  const rows: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  return {
    add(url: string, methods: readonly string[]) {
      if (url.includes('*')) return;
      const pattern = new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+')}$`);
      rows.push({ pattern, methods });
    },
    listMethods(path: string): readonly string[] {
      const allowed = rows.filter(({ pattern }) => pattern.test(path));
      return [...new Set(allowed.flatMap(({ methods }) => methods))].sort();
    },
  };
}

/** Maximum time for which a rejected body is still read. */
const MAX_DRAIN_MS = 1_000;

/** Reads on briefly, because closing a connection while the client still sends would lose the response. */
async function drainBriefly(body: IncomingMessage): Promise<void> {
  body.unpipe().resume();
  await finished(body, { signal: AbortSignal.timeout(MAX_DRAIN_MS) }).catch(() => undefined);
}

/** Converts a failure to an API error; one about the body says what the route accepts. */
function toRouteError(
  error: FastifyError,
  { bodyLimit, schema }: FastifyRequest['routeOptions'],
): ApiError | undefined {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const hint = bodyLimit === MAX_JSON_BYTES ? '; photos go to /v1/uploads or into a multipart body' : '';
    const message = `The request body is larger than ${Math.floor(bodyLimit / 1024)} KiB${hint}.`;
    return new ApiError('PAYLOAD_TOO_LARGE', message, { details: { limit_bytes: bodyLimit } });
  }
  if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return toApiError(error);
  const { content = { 'application/json': {} } } = (schema?.body ?? {}) as { readonly content?: object };
  const types = Object.keys(content).join(' or ');
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${types} (with that Content-Type).`);
}

/**
 * Registers the handlers that send every failure in the error envelope; a bug's stack goes only to the log.
 * @param count counts an error by its code
 */
export function registerErrors(app: App, count: (code: string) => void = () => undefined): void {
  const methods = createMethodTable();
  app.addHook('onRoute', ({ url, method }) => methods.add(url, [method].flat()));
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const apiError = toRouteError(error, request.routeOptions);
    const isReading = request.raw.readableFlowing !== null;
    if (isReading || apiError?.code === 'PAYLOAD_TOO_LARGE') await drainBriefly(request.raw);
    if (!apiError) request.log.error({ err: error }, 'unexpected failure');
    const answer = apiError ?? new ApiError('INTERNAL_ERROR', 'Something went wrong on our side.');
    count(answer.code);
    return reply
      .code(answer.status)
      .headers({ 'x-request-id': request.id, ...answer.headers })
      .type('application/json; charset=utf-8')
      .send(makeErrorEnvelope(answer, request.id));
  });
  const rejectUnknown = async ({ url }: FastifyRequest): Promise<never> => {
    const allow = methods.listMethods(url.split('?')[0] ?? '').join(', ');
    if (allow === '') throw makeNotFoundError();
    throw new ApiError('METHOD_NOT_ALLOWED', `This address accepts ${allow}.`, { headers: { allow } });
  };
  app.setNotFoundHandler(rejectUnknown);
  // Before the body is parsed, whose faults do not matter here.
  app.addHook('preParsing', async (request) => (request.is404 ? rejectUnknown(request) : undefined));
}
