import { makeRequestError } from './api-error.ts';
import type { App } from './fastify-types.ts';

/**
 * Rejects ambiguous requests (no Host or two, NUL in the URL) and unsupported expectations, on which proxies differ. A
 * client that waits for `100 Continue` gets it only once its request is admitted.
 */
export function registerRequestChecks(app: App): void {
  app.addHook('onRequest', async ({ raw, url }, reply) => {
    const hosts = raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
    if (hosts > 1) throw makeRequestError('The request has more than one Host header.');
    if (hosts === 0 && raw.httpVersion === '1.1') throw makeRequestError('The request has no Host header.');
    if (/%00/.test(url)) throw makeRequestError('The address contains a NUL character.');
    const { expect } = raw.headers;
    if (expect === undefined) return;
    if (expect.toLowerCase() !== '100-continue')
      throw makeRequestError('The header Expect may only be 100-continue.');
    // A refused client may send its body or its next request, so the connection cannot be reused.
    reply.header('connection', 'close');
  });
  app.addHook('preParsing', async ({ raw }, reply) => {
    if (raw.headers.expect === undefined) return;
    reply.removeHeader('connection');
    reply.raw.writeContinue();
  });
}
