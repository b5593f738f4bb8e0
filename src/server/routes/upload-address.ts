import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '../../lib/type.ts';
import type { UploadRecord } from '../../storage/ports.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { findOpenUpload, UPLOAD_FILE } from '../photos/kept-uploads.ts';
import { receivePhoto, reserveRoom } from '../photos/receive-upload.ts';
import type { Services } from '../services.ts';

const Params = Type.Object({ upload_id: Type.String({ maxLength: 128 }) });
const Query = Type.Object({ expires: Type.Optional(Type.String()), signature: Type.Optional(Type.String()) });

const makeGoneError = () =>
  new ApiError(
    'UPLOAD_NOT_FOUND',
    'This address takes no photo: it has expired, its upload is used or deleted, or it was changed; ask for another by POST /v1/uploads.',
  );

/** Returns the upload that an address is for. @throws ApiError UPLOAD_NOT_FOUND, INVALID_REQUEST for another length */
async function findAddressed(request: FastifyRequest, services: Services): Promise<UploadRecord> {
  const { upload_id: id } = request.params as { upload_id: string };
  const { expires = '', signature = '' } = request.query as { expires?: string; signature?: string };
  if (services.links.checkUpload(id, String(expires), String(signature)) !== 'valid') throw makeGoneError();
  const upload = await findOpenUpload(id, services);
  if (!upload) throw makeGoneError();
  const length = request.headers['content-length'];
  if (Number(length) !== upload.announcedBytes) {
    throw new ApiError(
      'INVALID_REQUEST',
      `Content-Length must be ${upload.announcedBytes} as announced, found ${length ?? 'none'}.`,
      { field: 'Content-Length' },
    );
  }
  return upload;
}

/**
 * Serves the address of an announced photo where clients cannot reach the store: it accepts the photo as a bucket does,
 * by a signature instead of a key, of exactly the announced length. The photo is judged when it is inspected.
 */
export function registerUploadAddressRoute(app: App, services: Services): void {
  const { store, photoTurns } = services;
  const open = new WeakMap<FastifyRequest, UploadRecord>();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

  app.put(
    '/uploads/:upload_id',
    {
      config: { public: true, allowance: 'files' },
      schema: { hide: true, params: Params, querystring: Query },
      preParsing: async (request, reply) => {
        const upload = await findAddressed(request, services);
        open.set(request, upload);
        reserveRoom(upload.accountId, request, reply, services);
      },
    },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const upload = open.get(request);
      if (!upload) throw makeGoneError();
      try {
        const { sha256 } = await receivePhoto(request, services);
        if (sha256 !== upload.sha256) {
          throw new ApiError('INVALID_REQUEST', 'This is not the photo that was announced.', {
            details: { found: `SHA-256 ${sha256}`, needed: `SHA-256 ${upload.sha256}` },
          });
        }
        await photoTurns.take(upload.accountId, async () => {
          const bytes = await store.blobs.getStaged(request.id, UPLOAD_FILE);
          if (!bytes) throw new Error('a staged upload is gone');
          await store.blobs.put(upload.id, UPLOAD_FILE, bytes);
        });
        return reply.code(200).send();
      } finally {
        await store.blobs.unstage(request.id);
      }
    },
  );
}
