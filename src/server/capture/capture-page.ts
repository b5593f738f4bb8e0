import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { type CapturedPhoto, type CaptureState, CaptureStateSchema } from '../../contract/capture.ts';
import { envelop } from '../../contract/common.ts';
import type { PhotoRejection } from '../../domain/photo.ts';
import { MAX_IMAGE_BYTES } from '../../domain/photo-limits.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import { toUrlHost } from '../../lib/hosts.ts';
import { Type } from '../../lib/type.ts';
import { ApiError, makeNotFoundError, makeRequestError } from '../http/api-error.ts';
import { REPORT_POLICY } from '../http/headers-and-log.ts';
import { succeed } from '../http/success.ts';
import { createPageApp, openPage } from '../page-app.ts';
import { makePhotoError } from '../photos/collect.ts';

/** Operations behind the page of a capture. */
export interface Capture {
  getState(): Omit<CaptureState, 'report'>;
  /** Stores a photo durably, or returns why it is unusable. */
  save(slot: string, bytes: Uint8Array): Promise<CapturedPhoto | PhotoRejection | 'no_such_slot' | 'full'>;
  /** Returns the earlier photo of a known damage as JPEG; null if there is none. */
  readEarlier(slot: string): Promise<Uint8Array | null>;
  /** Starts the inspection of the photos received so far. */
  finish(): void;
  /** Path of the report as HTML; there is no file until the inspection ends. */
  readonly reportFile: string;
  /** Called when an already used link is opened again. */
  onUsedLink(): void;
}

const REPORT = { owner: 'capture', name: 'report.html' };

/**
 * Serves the page of a guided capture on one address of this machine. A link works for one phone and gives access only
 * to the photos and result of this capture. Requests for another host, or from another page, are refused.
 * @throws VehiError usage CANNOT_LISTEN; engine PAGE_MISSING if the page was not built
 */
export async function openCapturePage(
  capture: Capture,
  { host, port }: { readonly host: string; readonly port: number },
) {
  const names = [toUrlHost(host), hostname(), `${hostname()}.local`].map((name) => name.toLowerCase());
  const page = createPageApp({
    isOwnHost: (named) => names.includes(named.replace(/:\d{1,5}$/, '').toLowerCase()),
    session: { path: '/capture/session', data: {} },
    noSession: 'This phone has no session, or another phone has taken it over.',
    linkTtlMs: HOUR_MS,
    onUsedLink: capture.onUsedLink,
  });
  registerCapture(page, capture);
  page.app.get('/c', { config: { public: true } }, async (_request, reply) =>
    reply.redirect('app/capture.html', 302),
  );
  const taken = await openPage(page.app, host, port);
  return {
    /** Creates a link that one phone can open within an hour; opening it ends the session of any other phone. */
    createLink: () => `http://${toUrlHost(host)}:${taken}/c#${page.gate.newToken()}`,
    close: () => page.app.close(),
  };
}

export type CapturePage = Awaited<ReturnType<typeof openCapturePage>>;

/** Registers the routes of a capture. */
export function registerCapture({ app, gate }: ReturnType<typeof createPageApp>, capture: Capture): void {
  const params = Type.Object({ slot: Type.String({ pattern: '^[a-z0-9_]{1,40}$' }) });
  app.get('/capture', { schema: { response: { 200: envelop(CaptureStateSchema) } } }, async () => {
    const { pathname, search } = new URL(gate.fileLinks().makeFileUrl(REPORT.owner, REPORT.name));
    const report = existsSync(capture.reportFile) ? pathname + search : null;
    return succeed({ ...capture.getState(), report });
  });
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  const photoRoute = { schema: { params }, bodyLimit: MAX_IMAGE_BYTES };
  app.put('/capture/photos/:slot', photoRoute, async ({ params: { slot }, body }, reply) => {
    if (!(body instanceof Uint8Array) || body.byteLength === 0)
      throw makeRequestError('The request has no body; the bytes of a photo are needed.');
    const saved = await capture.save(slot, body);
    if (saved === 'no_such_slot') throw makeNotFoundError(`There is no photo slot ${slot}.`);
    if (saved === 'full')
      throw new ApiError('TOO_MANY_IMAGES', 'The folder has as many photos as one inspection takes.');
    if ('code' in saved) throw makePhotoError(saved);
    return reply.code(201).send(succeed(saved));
  });
  app.get('/capture/earlier/:slot', { schema: { params } }, async ({ params: { slot } }, reply) => {
    const jpeg = await capture.readEarlier(slot);
    if (jpeg === null) throw makeNotFoundError('There is no earlier photo of it.');
    return reply.type('image/jpeg').send(jpeg);
  });
  app.post('/capture/finish', async (_request, reply) => {
    // A repeat after a lost answer starts no second inspection.
    if (capture.getState().stage !== 'inspecting') capture.finish();
    return reply.code(202).send(succeed(capture.getState()));
  });
  const querystring = Type.Object({ expires: Type.String(), signature: Type.String() });
  app.get(
    `/files/${REPORT.owner}/${REPORT.name}`,
    { config: { public: true }, schema: { querystring } },
    async ({ query: { expires, signature } }, reply) => {
      const report = await readFile(capture.reportFile).catch(() => null);
      if (report === null || !gate.fileLinks().isValid(REPORT.owner, REPORT.name, expires, signature))
        throw makeNotFoundError();
      return reply
        .header('content-security-policy', REPORT_POLICY)
        .type('text/html; charset=utf-8')
        .send(report);
    },
  );
}
