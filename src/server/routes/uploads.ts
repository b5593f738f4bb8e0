import type { FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { Type } from 'typebox';
import { answer } from '../../contract/answers.ts';
import { isErrorCode } from '../../contract/errors.ts';
import { UploadQuerySchema, UploadSchema, UploadViewSchema } from '../../contract/uploads.ts';
import type { PhotoRejection } from '../../domain/photo.ts';
import { type AngleWords, angleFromName, loadAngleWords } from '../../images/find/angle-from-name.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { callerOf } from '../http/auth.ts';
import { type Answer, once } from '../http/idempotency.ts';
import { readUpload, UPLOAD_FILE, UPLOAD_MS, uploadUrl } from '../photos/kept-uploads.ts';
import { type ArrivedPhoto, receivePhoto, reserveRoom } from '../photos/receive-upload.ts';
import type { Services } from '../services.ts';
import { described, empty, failures, SECURITY } from './schemas.ts';

const UPLOADS_PATH = '/v1/uploads';
const UploadParams = Type.Object({ upload_id: Type.String({ minLength: 1, maxLength: 128 }) });
/** Uploads of an account that wait at the same time. */
const UPLOADS_MAX = 300;
/** Judged by its bytes, not by a schema. */
const Photo = { schema: { description: 'The bytes of the photo.' } };

/** Returns the contract's error for a photo that breaks a rule, before there is an `images[i]` to name. */
function refusal({ code, message, found, needed }: PhotoRejection): ApiError {
  const details =
    code === 'IMAGE_QUALITY_TOO_LOW'
      ? { current_resolution: found, minimum_resolution: '1280x720' }
      : { found, needed };
  return new ApiError(isErrorCode(code) ? code : 'IMAGE_UNREADABLE', message, { details });
}

/** Judges a photo that has arrived and keeps it. It is in memory for so long only, in turn with others. */
async function keep(
  request: FastifyRequest,
  { sha256 }: ArrivedPhoto,
  name: string,
  services: Services,
  words: AngleWords,
): Promise<Answer> {
  const { store, settings, clock, programs } = services;
  const { account } = callerOf(request);
  const bytes = await store.blobs.getStaged(request.id, UPLOAD_FILE);
  if (!bytes) throw new Error('a staged upload is gone');
  const nowMs = clock.wallMs();
  if ((await store.uploads.count(account.id, settings.environment, nowMs - UPLOAD_MS)) >= UPLOADS_MAX) {
    throw new ApiError(
      'INVALID_REQUEST',
      `${UPLOADS_MAX} uploads wait for an inspection already; inspect or delete some.`,
    );
  }
  const rejection = await programs.photos.check(bytes, name);
  if (rejection) throw refusal(rejection);
  const id = clock.newId('upl');
  await store.uploads.create({
    id,
    accountId: account.id,
    environment: settings.environment,
    sha256,
    createdAtMs: nowMs,
  });
  await store.blobs.put(id, UPLOAD_FILE, bytes);
  const data = {
    upload_id: id,
    url: uploadUrl(id, name),
    bytes: bytes.byteLength,
    sha256,
    angle: angleFromName(name, words) ?? null,
    expires_at: new Date(nowMs + UPLOAD_MS).toISOString(),
  };
  return { status: 201, headers: {}, body: { status: 'success', data } };
}

/**
 * Registers the operations on photos sent one by one ahead of their inspection (extension). The app accepts no other
 * bodies in here.
 */
export function uploadRoutes(app: App, services: Services): void {
  const { store, settings, programs } = services;
  // One look after the other: inspections come first.
  const inTurn = pLimit(1);
  const notThere = () => new ApiError('UPLOAD_NOT_FOUND', 'There is no such upload.', { field: 'upload_id' });
  let words: AngleWords | undefined;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^(image\/[\w.+-]+|application\/octet-stream)/, (_request, payload, done) =>
    done(null, payload),
  );
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(
      new ApiError(
        'UNSUPPORTED_MEDIA_TYPE',
        'Send the photo itself, as image/jpeg, image/png or image/heic.',
      ),
    ),
  );

  app.post(
    UPLOADS_PATH,
    {
      config: { permission: 'inspections:write' },
      schema: {
        operationId: 'createUpload',
        tags: ['inspections'],
        summary: 'Send one photo ahead of its inspection (extension)',
        description:
          'The body is the photo. Size, format and resolution are judged at once. An upload waits for an hour.',
        security: SECURITY,
        headers: Type.Object({
          'idempotency-key': Type.Optional(
            Type.String({ description: 'Same key and photo within 24 h: the stored answer.' }),
          ),
        }),
        querystring: UploadQuerySchema,
        body: {
          content: {
            'image/jpeg': Photo,
            'image/png': Photo,
            'image/heic': Photo,
            'application/octet-stream': Photo,
          },
        } as never,
        response: {
          201: described(answer(UploadSchema), 'The upload.'),
          ...failures(
            'REQUEST_TIMEOUT',
            'PAYLOAD_TOO_LARGE',
            'UNSUPPORTED_MEDIA_TYPE',
            'IMAGE_QUALITY_TOO_LOW',
            'IMAGE_TOO_LARGE',
            'UNSUPPORTED_IMAGE_FORMAT',
            'IMAGE_UNREADABLE',
            'IDEMPOTENCY_CONFLICT',
          ),
        },
      },
      preParsing: async (request, reply) => reserveRoom(request, reply, services),
    },
    async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        const arrived = await receivePhoto(request, services);
        const { name = 'photo' } = request.query as { name?: string };
        // What is compared under an Idempotency-Key.
        request.body = { name, sha256: arrived.sha256 };
        words ??= loadAngleWords();
        const known = words;
        const { account } = callerOf(request);
        return await once(
          request,
          reply,
          'upload',
          services,
          () => services.photoTurns.take(account.id, () => keep(request, arrived, name, services, known)),
          () => {
            throw new Error('an upload is stored with its answer');
          },
        );
      } finally {
        await store.blobs.unstage(request.id);
      }
    },
  );

  app.get(
    `${UPLOADS_PATH}/:upload_id/view`,
    {
      config: { permission: 'inspections:write' },
      schema: {
        operationId: 'getUploadView',
        tags: ['inspections'],
        summary: 'Propose the view angle of an uploaded photo (extension)',
        description: 'Taken from the picture where the file name does not say it. A proposal: check it.',
        security: SECURITY,
        params: UploadParams,
        response: {
          200: described(answer(UploadViewSchema), 'The view, as proposed.'),
          ...failures('UPLOAD_NOT_FOUND', 'IMAGE_UNREADABLE'),
        },
      },
    },
    async (request) => {
      const { upload_id: id } = request.params;
      const bytes = await readUpload(uploadUrl(id, UPLOAD_FILE), callerOf(request).account.id, services);
      if (!bytes) throw notThere();
      const angle = await inTurn(() => programs.engine.viewOf({ kind: 'bytes', bytes, name: id }));
      return { status: 'success' as const, data: { upload_id: id, angle } };
    },
  );

  app.delete(
    `${UPLOADS_PATH}/:upload_id`,
    {
      config: { permission: 'inspections:write' },
      schema: {
        operationId: 'deleteUpload',
        tags: ['inspections'],
        summary: 'Delete a photo that is not to be inspected (extension)',
        security: SECURITY,
        params: UploadParams,
        response: {
          204: empty('Deleted.'),
          ...failures('REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'UPLOAD_NOT_FOUND'),
        },
      },
    },
    async (request, reply) => {
      const upload = await store.uploads.get(request.params.upload_id);
      const own =
        upload?.accountId === callerOf(request).account.id && upload.environment === settings.environment;
      if (!upload || !own) throw notThere();
      await store.blobs.remove(upload.id);
      await store.uploads.remove([upload.id]);
      return reply.code(204).send(null);
    },
  );
}
