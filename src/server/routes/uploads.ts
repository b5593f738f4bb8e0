import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { Id } from '../../contract/common.ts';
import { UploadQuerySchema, UploadSchema, UploadViewSchema } from '../../contract/uploads.ts';
import { THUMBNAIL_SIDE } from '../../domain/photo.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGE_MB } from '../../domain/photo-limits.ts';
import { Type } from '../../lib/type.ts';
import { ApiError, makeRequestError } from '../http/api-error.ts';
import { findOwn, readCaller } from '../http/auth.ts';
import type { App } from '../http/fastify-types.ts';
import { succeed } from '../http/success.ts';
import { makePhotoError } from '../photos/collect.ts';
import { EXPIRY_HOURS, findUpload, removeUploads, storeUpload, UPLOAD_FILE } from '../photos/uploads.ts';
import type { Services } from '../services.ts';
import { defineEmptyResponse, defineOperations, describeData, describeResponse } from './schemas.ts';

const { defineGet, defineWithBody } = defineOperations('inspections', 'inspections:write');

const UPLOADS_PATH = '/v1/uploads';
const UploadParams = Type.Object({ upload_id: Id() });
/** Validated by its content, not by a schema. */
const PhotoBody = { schema: { description: 'The bytes of the photo.' } };

const makeTooLargeError = () =>
  new ApiError('PAYLOAD_TOO_LARGE', `The photo is larger than ${MAX_IMAGE_MB} MB.`, {
    headers: { connection: 'close' },
  });

/** Stages a photo as it arrives, so slow senders occupy no memory. @throws ApiError */
async function stagePhoto(request: FastifyRequest, reply: FastifyReply, { store }: Services): Promise<void> {
  const { id, body, openUpload } = request;
  if (!(body instanceof Readable) || openUpload === null) return;
  const countBytes = async function* (stream: Readable) {
    let bytes = 0;
    // An oversized photo still gets a response, so its connection must stay open.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      openUpload.count(chunk.byteLength);
      if (bytes > MAX_IMAGE_BYTES) throw makeTooLargeError();
      yield chunk;
    }
  };
  // A body that is cut off after its response never ends by itself, and would keep its file open.
  const cutOff = () => body.destroy();
  reply.raw.once('close', cutOff);
  const staged = store.blobs.stage(id, UPLOAD_FILE, countBytes(body));
  await openUpload.watch(staged.finally(() => reply.raw.off('close', cutOff)));
}

/** Registers the operations on photos uploaded one by one ahead of their inspection (extension). */
export function registerUploadRoutes(app: App, services: Services): void {
  const { store, backend } = services;
  // Classifies one view at a time, because inspections have priority.
  const serialize = pLimit(1);
  const findBytes = (request: FastifyRequest) =>
    findOwn('upload', request, services, async (id) => {
      const upload = await findUpload(id, services);
      // The upload may have been used in the meantime.
      const bytes = upload && (await store.blobs.get(id, UPLOAD_FILE));
      return bytes && { ...upload, bytes };
    });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^(image\/[\w.+-]+|application\/octet-stream)/, (_request, payload, done) =>
    done(null, payload),
  );

  app.post(
    UPLOADS_PATH,
    {
      ...defineWithBody('createUpload', 'Send one photo ahead of its inspection (extension)', {
        description: `The body is the photo; size, format and resolution are checked immediately. An unused upload expires after ${EXPIRY_HOURS} hour.`,
        querystring: UploadQuerySchema,
        body: {
          content: {
            'image/jpeg': PhotoBody,
            'image/png': PhotoBody,
            'image/heic': PhotoBody,
            'application/octet-stream': PhotoBody,
          },
        },
        response: { 201: describeData(UploadSchema, 'The upload.') },
        codes: ['IMAGE_QUALITY_TOO_LOW', 'IMAGE_TOO_LARGE', 'UNSUPPORTED_IMAGE_FORMAT', 'IMAGE_UNREADABLE'],
      }),
      onRequest: async (request, reply) => {
        const { 'content-length': length } = request.headers;
        if (Number(length) > MAX_IMAGE_BYTES) throw makeTooLargeError();
        const upload = services.uploadBudget.start(readCaller(request).account.id, MAX_IMAGE_BYTES, length);
        request.openUpload = upload;
        reply.raw.once('close', () => upload.end());
      },
    },
    async (request, reply) => {
      const accountId = readCaller(request).account.id;
      try {
        await stagePhoto(request, reply, services);
        // The bytes are in memory only within this turn.
        const data = await services.photoSlots.run(accountId, async () => {
          const { name = 'photo' } = request.query;
          const photo = await store.blobs.getStaged(request.id, UPLOAD_FILE);
          if (!photo?.byteLength)
            throw makeRequestError('The request has no body; the bytes of a photo are needed.');
          const rejection = await backend.photos.check(photo, name);
          if (rejection) throw makePhotoError(rejection);
          return storeUpload(accountId, name, photo, services);
        });
        return reply.code(201).send(succeed(data));
      } finally {
        request.openUpload?.end();
        await store.blobs.discardStaged(request.id);
      }
    },
  );

  app.get(
    `${UPLOADS_PATH}/:upload_id/view`,
    defineGet('getUploadView', 'Propose the view angle of an uploaded photo (extension)', {
      description: 'Inferred from the picture, whatever its file name says; verify before use.',
      params: UploadParams,
      response: { 200: describeData(UploadViewSchema, 'The proposed view.') },
      codes: ['IMAGE_UNREADABLE'],
    }),
    (request) =>
      // Read in turn, so that waiting requests hold no photo in memory.
      serialize(async () => {
        const { id, bytes } = await findBytes(request);
        const angle = await backend.engine.viewOf({ kind: 'bytes', bytes, name: id });
        return succeed({ upload_id: id, angle });
      }),
  );

  app.get(
    `${UPLOADS_PATH}/:upload_id/picture`,
    defineGet('getUploadPicture', 'An uploaded photo, small (extension)', {
      params: UploadParams,
      response: {
        200: {
          ...describeResponse(
            Type.Object({}),
            `The photo, ${THUMBNAIL_SIDE} pixels long at most, without EXIF or GPS.`,
          ),
          content: { 'image/jpeg': { schema: { description: 'JPEG.' } } },
        },
      },
      codes: ['IMAGE_UNREADABLE'],
    }),
    async (request, reply) => {
      const render = async () => backend.artifacts.renderThumbnail((await findBytes(request)).bytes);
      const jpeg = await services.photoSlots.run(readCaller(request).account.id, render);
      return reply
        .type('image/jpeg')
        .header('cache-control', 'private, max-age=3600')
        .send(Buffer.from(jpeg));
    },
  );

  app.delete(
    `${UPLOADS_PATH}/:upload_id`,
    defineWithBody('deleteUpload', 'Delete a photo that is not to be inspected (extension)', {
      params: UploadParams,
      response: { 204: defineEmptyResponse('Deleted.') },
    }),
    async (request, reply) => {
      const { id } = await findOwn('upload', request, services, (found) => findUpload(found, services));
      await removeUploads([id], store);
      return reply.code(204).send(null);
    },
  );
}
