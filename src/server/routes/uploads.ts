import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';

import { Id } from '../../contract/common.ts';
import { UploadQuerySchema, UploadSchema, UploadViewSchema } from '../../contract/uploads.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGE_MB } from '../../domain/photo-limits.ts';
import { toPhotoType } from '../../domain/sight/coverage.ts';
import { readAngleFromName } from '../../images/find/angle-from-name.ts';
import { Type } from '../../lib/type.ts';
import { ApiError } from '../http/api-error.ts';
import { readCaller } from '../http/auth.ts';
import type { App } from '../http/fastify-types.ts';
import { runOnce, type StoredResponse } from '../http/idempotency.ts';
import { startUpload } from '../http/uploads.ts';
import { makePhotoError } from '../photos/collect.ts';
import { findUpload, type NewPhoto, removeUploads, storeUpload, UPLOAD_FILE } from '../photos/uploads.ts';
import type { Services } from '../services.ts';
import {
  BODY_CODES,
  defineEmptyResponse,
  defineOperations,
  describeData,
  describeResponse,
  IdempotencyHeaders,
} from './schemas.ts';

const defineUploadOperation = defineOperations('inspections', 'inspections:write');

const UPLOADS_PATH = '/v1/uploads';
const UploadParams = Type.Object({ upload_id: Id() });
/** Validated by its bytes, not by a schema. */
const PhotoBody = { schema: { description: 'The bytes of the photo.' } };

const makeTooLargeError = () =>
  new ApiError('PAYLOAD_TOO_LARGE', `The photo is larger than ${MAX_IMAGE_MB} MB.`, {
    headers: { connection: 'close' },
  });

const makeNotFoundError = () =>
  new ApiError('UPLOAD_NOT_FOUND', 'There is no such upload.', { field: 'upload_id' });

/** Stages a photo as it arrives, so slow senders occupy no memory. @throws ApiError */
async function receivePhoto(request: FastifyRequest, { store }: Services): Promise<NewPhoto> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* countBytes(body: Readable) {
    // An oversized photo still gets a response, so its connection must stay open.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      request.openUpload?.count(chunk.byteLength);
      if (bytes > MAX_IMAGE_BYTES) throw makeTooLargeError();
      hash.update(chunk);
      yield chunk;
    }
  }
  if (request.body instanceof Readable)
    await request.openUpload?.watch(store.blobs.stage(request.id, UPLOAD_FILE, countBytes(request.body)));
  if (bytes === 0)
    throw new ApiError('INVALID_REQUEST', 'The request has no body; the bytes of a photo are needed.');
  const { name = 'photo' } = request.query as { name?: string };
  const named = readAngleFromName(name);
  // An inside view would turn the photo off, and a name alone is no reason: `seat_left.jpg` may be a SEAT.
  const angle = named && toPhotoType(named) === 'exterior' ? named : undefined;
  return { name, angle, bytes, sha256: hash.digest('hex') };
}

/** Checks and stores an uploaded photo. Its bytes are in memory only during this call. */
async function save(request: FastifyRequest, photo: NewPhoto, services: Services): Promise<StoredResponse> {
  const bytes = await services.store.blobs.getStaged(request.id, UPLOAD_FILE);
  if (!bytes) throw new Error('a staged upload is gone');
  const rejection = await services.programs.photos.check(bytes, photo.name);
  if (rejection) throw makePhotoError(rejection);
  const data = await storeUpload(readCaller(request).account.id, photo, bytes, services);
  return { status: 201, headers: {}, body: { status: 'success', data } };
}

/** Registers the operations on photos uploaded one by one ahead of their inspection (extension). */
export function registerUploadRoutes(app: App, services: Services): void {
  const { store, programs } = services;
  // One view inference at a time, because inspections have priority.
  const serialize = pLimit(1);
  const requireUpload = async (request: FastifyRequest) => {
    const { upload_id: id } = request.params as { upload_id: string };
    const upload = await findUpload(id, readCaller(request).account.id, services);
    if (!upload) throw makeNotFoundError();
    return upload;
  };
  const requireBytes = async (request: FastifyRequest) => {
    const { id } = await requireUpload(request);
    const bytes = await store.blobs.get(id, UPLOAD_FILE);
    // It may have been used since.
    if (!bytes) throw makeNotFoundError();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^(image\/[\w.+-]+|application\/octet-stream)/, (_request, payload, done) =>
    done(null, payload),
  );

  app.post(
    UPLOADS_PATH,
    {
      ...defineUploadOperation('createUpload', 'Send one photo ahead of its inspection (extension)', {
        description:
          'The body is the photo; size, format and resolution are checked immediately. An unused upload expires after one hour.',
        headers: IdempotencyHeaders,
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
        codes: [
          ...BODY_CODES,
          'IMAGE_QUALITY_TOO_LOW',
          'IMAGE_TOO_LARGE',
          'UNSUPPORTED_IMAGE_FORMAT',
          'IMAGE_UNREADABLE',
          'IDEMPOTENCY_CONFLICT',
        ],
      }),
      onRequest: async (request, reply) => {
        if (Number(request.headers['content-length']) > MAX_IMAGE_BYTES) throw makeTooLargeError();
        const upload = startUpload(request, MAX_IMAGE_BYTES, services);
        request.openUpload = upload;
        reply.raw.once('close', () => upload.end());
      },
    },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const accountId = readCaller(request).account.id;
      try {
        const photo = await receivePhoto(request, services);
        // The body that an Idempotency-Key compares.
        request.body = { name: photo.name, sha256: photo.sha256 };
        const run = () => services.photoSlots.run(accountId, () => save(request, photo, services));
        return await runOnce(request, reply, 'upload', services, run, () => {
          throw new Error('an upload is stored with its answer');
        });
      } finally {
        await store.blobs.discardStaged(request.id);
      }
    },
  );

  app.get(
    `${UPLOADS_PATH}/:upload_id/view`,
    defineUploadOperation('getUploadView', 'Propose the view angle of an uploaded photo (extension)', {
      description: 'Inferred from the picture if the file name does not state it; verify before use.',
      params: UploadParams,
      response: { 200: describeData(UploadViewSchema, 'The proposed view.') },
      codes: ['UPLOAD_NOT_FOUND', 'IMAGE_UNREADABLE'],
    }),
    async (request) => {
      const { upload_id: id } = request.params;
      const bytes = await requireBytes(request);
      const angle = await serialize(() => programs.engine.viewOf({ kind: 'bytes', bytes, name: id }));
      return { status: 'success' as const, data: { upload_id: id, angle } };
    },
  );

  app.get(
    `${UPLOADS_PATH}/:upload_id/picture`,
    defineUploadOperation('getUploadPicture', 'An uploaded photo, small (extension)', {
      params: UploadParams,
      response: {
        200: {
          ...describeResponse(Type.Object({}), 'The photo, 320 pixels long at most, without EXIF or GPS.'),
          content: { 'image/jpeg': { schema: { description: 'JPEG.' } } },
        },
      },
      codes: ['UPLOAD_NOT_FOUND', 'IMAGE_UNREADABLE'],
    }),
    async (request, reply) => {
      const { account } = readCaller(request);
      const bytes = await requireBytes(request);
      const render = () => programs.artifacts.renderThumbnail(bytes);
      return reply
        .type('image/jpeg')
        .header('cache-control', 'private, max-age=3600')
        .serializer((file: unknown) => file as string)
        .send(Buffer.from(await services.photoSlots.run(account.id, render)) as never);
    },
  );

  app.delete(
    `${UPLOADS_PATH}/:upload_id`,
    defineUploadOperation('deleteUpload', 'Delete a photo that is not to be inspected (extension)', {
      params: UploadParams,
      response: { 204: defineEmptyResponse('Deleted.') },
      codes: [...BODY_CODES, 'UPLOAD_NOT_FOUND'],
    }),
    async (request, reply) => {
      const { id } = await requireUpload(request);
      await removeUploads([id], store);
      return reply.code(204).send(null);
    },
  );
}
