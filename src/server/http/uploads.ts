import type { FastifyRequest } from 'fastify';
import { IMAGE_BYTES_MAX, IMAGES_MAX } from '../../contract/requests.ts';
import { ApiError, toApiError } from './api-error.ts';
import { parseJson } from './bodies.ts';

/** Limits of a multipart body; one byte more than a photo may have, so that a photo too large is distinguished from a whole one. */
export const UPLOAD_LIMITS = {
  fileSize: IMAGE_BYTES_MAX + 1,
  files: IMAGES_MAX,
  fields: 4,
  fieldSize: 1024 * 1024,
  parts: IMAGES_MAX + 4,
  headerPairs: 20,
} as const;

/** All photos of one upload together, held in memory while they are checked. */
const UPLOAD_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Reads a multipart body: the part `request` becomes the body, the files are kept by their names.
 * @throws ApiError for a body that is no multipart, cut off, too large, or without that part.
 */
export async function readUpload(request: FastifyRequest): Promise<void> {
  if (!request.isMultipart()) return;
  if (!/boundary=/i.test(request.headers['content-type'] ?? '')) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The Content-Type of the multipart body names no boundary.');
  }
  try {
    await readParts(request);
  } catch (error) {
    const known = toApiError(error);
    if (known) throw known;
    // What is left are the parser's complaints about the bytes.
    throw new ApiError('INVALID_REQUEST', 'The multipart body is cut off or not valid.');
  }
}

async function readParts(request: FastifyRequest): Promise<void> {
  const uploads = new Map<string, Buffer>();
  let body: unknown;
  let bytes = 0;
  for await (const part of request.parts({ limits: UPLOAD_LIMITS })) {
    if (part.type === 'field') {
      if (part.fieldname === 'request') body = parseJson(Buffer.from(String(part.value)));
      continue;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > UPLOAD_BYTES_MAX)
        throw new ApiError('PAYLOAD_TOO_LARGE', 'The upload is larger than 256 MB.');
      chunks.push(chunk);
    }
    if (uploads.has(part.filename)) {
      throw new ApiError(
        'INVALID_REQUEST',
        `Two uploaded files are named ${JSON.stringify(part.filename.slice(0, 80))}.`,
      );
    }
    uploads.set(part.filename, Buffer.concat(chunks));
  }
  if (body === undefined) {
    throw new ApiError('INVALID_REQUEST', 'The upload has no part named "request" with the JSON body.', {
      field: 'request',
    });
  }
  request.uploads = uploads;
  request.body = body;
}
