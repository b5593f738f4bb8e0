import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RECORD_ID } from '../../lib/ids.ts';
import { Type } from '../../lib/type.ts';
import { makeNotFoundError } from '../http/api-error.ts';
import type { App } from '../http/fastify-types.ts';
import { sendBytes } from '../http/send-bytes.ts';
import { DEMO_PHOTO_NAME, DEMO_PHOTOS_PATH } from '../links.ts';
import type { Services } from '../services.ts';

const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*\.(pdf|jpg)$/;

const NO_FILE =
  'There is nothing at this address, or the link has expired; fetch the inspection for a new one.';

/** Registers the files of inspections (report, annotated photos, pictures of the review), and the sandbox's demo photos. */
export function registerFileRoutes(app: App, services: Services): void {
  const { store, links, settings } = services;

  app.get(
    '/files/:owner/:name',
    {
      config: { public: true, allowance: 'files' },
      schema: {
        hide: true,
        params: Type.Object({ owner: Type.String(), name: Type.String() }),
        querystring: Type.Object({
          expires: Type.Optional(Type.String()),
          signature: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const { owner, name } = request.params;
      const { expires = '', signature = '' } = request.query;
      const isFile =
        RECORD_ID.test(owner) && FILE_NAME.test(name) && links.isValid(owner, name, expires, signature);
      const bytes = isFile ? await store.blobs.get(owner, name) : undefined;
      if (!bytes) throw makeNotFoundError(NO_FILE);
      reply
        .header('cache-control', 'private, max-age=300')
        .header('content-disposition', `inline; filename="${owner}-${name}"`)
        .type(name.endsWith('.pdf') ? 'application/pdf' : 'image/jpeg');
      return sendBytes(request, reply, bytes);
    },
  );

  const folder = settings.sandbox ? settings.demoPhotos : undefined;
  if (folder === undefined) return;
  app.get(
    `${DEMO_PHOTOS_PATH}/:name`,
    {
      config: { public: true, allowance: 'files' },
      schema: { hide: true, params: Type.Object({ name: Type.String() }) },
    },
    async (request, reply) => {
      const { name } = request.params;
      const isPhoto = DEMO_PHOTO_NAME.test(name);
      const bytes = isPhoto ? await readFile(join(folder, name)).catch(() => undefined) : undefined;
      if (!bytes) throw makeNotFoundError();
      return sendBytes(request, reply.type('image/jpeg'), bytes);
    },
  );
}
