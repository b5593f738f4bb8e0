import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IMAGE_BYTES_MAX } from '../../contract/requests.ts';
import { ApiError } from '../http/api-error.ts';
import type { Services } from '../services.ts';
import { UPLOAD_FILE } from './kept-uploads.ts';

const makeTooLargeError = () =>
  new ApiError('PAYLOAD_TOO_LARGE', 'The photo is larger than 10 MB.', { headers: { connection: 'close' } });

/** Begins the upload of a photo, which ends with its answer. @throws ApiError PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE */
export function reserveRoom(
  accountId: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { uploadBudget }: Services,
): void {
  const announced = Number(request.headers['content-length'] ?? IMAGE_BYTES_MAX);
  if (announced > IMAGE_BYTES_MAX) throw makeTooLargeError();
  const most = Number.isSafeInteger(announced) ? announced : IMAGE_BYTES_MAX;
  const upload = uploadBudget.begin(accountId, most);
  request.openUpload = upload;
  reply.raw.once('close', () => upload.end());
}

/** A photo that has arrived and waits in the store. */
interface ArrivedPhoto {
  readonly bytes: number;
  readonly sha256: string;
}

/** Puts a photo away as it arrives, so that slow senders hold no memory. @throws ApiError */
export async function receivePhoto(request: FastifyRequest, { store }: Services): Promise<ArrivedPhoto> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted(body: Readable) {
    // A photo that is too large gets an answer: its connection must not be cut.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      request.openUpload?.count(chunk.byteLength);
      if (bytes > IMAGE_BYTES_MAX) throw makeTooLargeError();
      hash.update(chunk);
      yield chunk;
    }
  }
  if (request.body instanceof Readable)
    await request.openUpload?.watch(store.blobs.stage(request.id, UPLOAD_FILE, counted(request.body)));
  if (bytes === 0)
    throw new ApiError('INVALID_REQUEST', 'The request has no body; the bytes of a photo are needed.');
  return { bytes, sha256: hash.digest('hex') };
}
