import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import type { CapturedPhoto, CaptureState } from '../../contract/capture.ts';
import type { PhotoRejection } from '../../domain/photo.ts';
import { MAX_IMAGE_BYTES } from '../../domain/photo-limits.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import { VehiError } from '../../lib/errors.ts';
import { Type } from '../../lib/type.ts';
import { registerPageFiles, SECURITY_HEADERS } from '../app/routes.ts';
import { createClock } from '../clock.ts';
import { ApiError, makeErrorEnvelope } from '../http/api-error.ts';
import type { App } from '../http/fastify-types.ts';
import { isOriginOf } from '../http/session.ts';
import { createPageGate } from '../page-gate.ts';
import { makePhotoError } from '../photos/collect.ts';
import { listenOn, makePageApp } from '../result-page.ts';

/** What the page of a capture works on. */
export interface Capture {
  getState(): Omit<CaptureState, 'report'>;
  /** Stores a photo durably, or says why it is none. */
  save(slot: string, bytes: Uint8Array): Promise<CapturedPhoto | PhotoRejection | 'no_such_slot' | 'full'>;
  /** Returns the earlier photo of a known damage as JPEG; null if there is none. */
  readEarlier(slot: string): Promise<Uint8Array | null>;
  /** Starts the inspection of what has come. */
  finish(): void;
  /** Returns the report as HTML once there is one. */
  readReport(): Promise<string | null>;
  /** Called when a link is opened that was opened before. */
  onUsedLink(): void;
}

export interface CapturePage {
  /** Creates a link that one phone can open within an hour; opening it ends the session of another phone. */
  createLink(): string;
  close(): Promise<void>;
}

const REPORT = { owner: 'capture', name: 'report.html' };
/** The report brings its own styles and pictures, and a script that its own policy names by hash. */
const REPORT_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves the page of a guided capture on one address of this machine. A link is opened by one phone and gives it the
 * photos and the result of this capture, nothing else. Requests for another host, or from another page, are refused.
 * @throws VehiError usage PORT_TAKEN; engine PAGE_MISSING if the page was not built
 */
export async function openCapturePage(
  capture: Capture,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<CapturePage> {
  const { newId } = createClock();
  const gate = createPageGate(HOUR_MS);
  const app = makePageApp(newId);
  registerGate(app, gate, host);
  app.post(
    '/capture/session',
    { config: { public: true }, schema: { body: Type.Object({ token: Type.String({ maxLength: 512 }) }) } },
    async ({ body }) => {
      const secret = gate.exchange(body.token, capture.onUsedLink);
      if (secret !== null) return { status: 'success', data: { secret } };
      throw new ApiError('INSUFFICIENT_PERMISSIONS', 'This link was opened before, or is too old.');
    },
  );
  registerCapture(app, capture, gate);
  app.get('/c', { config: { public: true } }, async (_request, reply) =>
    reply.redirect('app/capture.html', 302),
  );
  if (!(await registerPageFiles(app)))
    throw new VehiError('engine', 'PAGE_MISSING', 'the page of the capture was not built.', {
      hint: 'Run npm run build.',
    });
  await listenOn(app, host, port);
  const { port: taken } = app.server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    createLink: () => `http://${name}:${taken}/c#${gate.newToken()}`,
    close: () => app.close(),
  };
}

type Gate = ReturnType<typeof createPageGate>;

function registerGate(app: App, gate: Gate, host: string): void {
  const names = [host, `[${host}]`, hostname(), `${hostname()}.local`].map((name) => name.toLowerCase());
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...SECURITY_HEADERS, 'cache-control': 'no-store' });
    const { host: named = '', origin } = request.headers;
    if (!names.includes(named.replace(/:\d{1,5}$/, '').toLowerCase())) {
      const error = new ApiError('INVALID_REQUEST', `${named} is not this command.`);
      return reply.code(421).send(makeErrorEnvelope(error, request.id));
    }
    if (origin !== undefined && !isOriginOf(named, origin))
      throw new ApiError('INSUFFICIENT_PERMISSIONS', 'The request comes from another page.');
    if (request.is404 || request.routeOptions.config.public) return;
    if (!gate.holds(request.headers['x-vehi-session']))
      throw new ApiError('INVALID_API_KEY', 'This phone is not, or is no longer, the one that photographs.');
  });
}

function registerCapture(app: App, capture: Capture, gate: Gate): void {
  const params = Type.Object({ slot: Type.String({ pattern: '^[a-z0-9_]{1,40}$' }) });
  app.get('/capture', async () => {
    const hasReport = (await capture.readReport()) !== null;
    const report = hasReport ? gate.links().makeFileUrl(REPORT.owner, REPORT.name) : null;
    return {
      status: 'success',
      data: { ...capture.getState(), report: report?.slice('http://page'.length) },
    };
  });
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: MAX_IMAGE_BYTES },
    (_request, body, done) => done(null, body),
  );
  app.put('/capture/photos/:slot', { schema: { params } }, async ({ params: { slot }, body }, reply) => {
    if (!(body instanceof Uint8Array) || body.byteLength === 0)
      throw new ApiError('INVALID_REQUEST', 'The request has no body; the bytes of a photo are needed.');
    const saved = await capture.save(slot, body);
    if (saved === 'no_such_slot') throw new ApiError('NOT_FOUND', `No photo ${slot} is asked for.`);
    if (saved === 'full')
      throw new ApiError('TOO_MANY_IMAGES', 'The folder has as many photos as one inspection takes.');
    if ('code' in saved) throw makePhotoError(saved);
    return reply.code(201).send({ status: 'success', data: saved });
  });
  app.get('/capture/earlier/:slot', { schema: { params } }, async ({ params: { slot } }, reply) => {
    const jpeg = await capture.readEarlier(slot);
    if (jpeg === null) throw new ApiError('NOT_FOUND', 'There is no earlier photo of it.');
    return reply.type('image/jpeg').send(jpeg);
  });
  app.post('/capture/finish', async (_request, reply) => {
    capture.finish();
    return reply.code(202).send({ status: 'success', data: capture.getState() });
  });
  const querystring = Type.Object({ expires: Type.String(), signature: Type.String() });
  app.get(
    '/files/capture/report.html',
    { config: { public: true }, schema: { querystring } },
    async ({ query }, reply) => {
      const { expires, signature } = query;
      const report = await capture.readReport();
      if (report === null || gate.links().check(REPORT.owner, REPORT.name, expires, signature) !== 'valid')
        throw new ApiError('NOT_FOUND', 'There is nothing at this address.');
      return reply
        .header('content-security-policy', REPORT_POLICY)
        .type('text/html; charset=utf-8')
        .send(report);
    },
  );
}
