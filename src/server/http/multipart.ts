import { createHash } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MAX_IMAGE_BYTES, MAX_IMAGES } from '../../domain/photo-limits.ts';
import type { Services } from '../services.ts';
import { ApiError, makeRequestError, toApiError } from './api-error.ts';
import { readCaller } from './auth.ts';
import { MAX_JSON_BYTES, parseJson } from './bodies.ts';
import { MAX_UPLOAD_BYTES, type OpenUpload } from './upload-budget.ts';

/** Name of the part with the JSON body. */
const REQUEST_PART = 'request';

/** Limits of a multipart body. `fileSize` is one byte over a photo's limit, to detect an oversized photo. */
export const MULTIPART_LIMITS = {
  fileSize: MAX_IMAGE_BYTES + 1,
  // The photos, and the JSON body, which is also read as a file.
  files: MAX_IMAGES + 1,
  fields: 4,
  fieldSize: MAX_JSON_BYTES,
  headerPairs: 20,
} as const;

/** Returns true if a part is read as a file. The JSON body always is, because the field parser might parse it. */
function isPartAFile(field: string | undefined, type: string | undefined, file: string | undefined): boolean {
  return field === REQUEST_PART || file !== undefined || type === 'application/octet-stream';
}

/**
 * Reads a multipart body: the part `request` becomes the body, and files are staged in the store as they arrive, until
 * the response or the handler that took them over ends. Names keep their folders, in which alone two photos may differ.
 * @throws ApiError for a multipart body that is malformed, truncated, too large, too slow, or without that part;
 * SERVICE_UNAVAILABLE if the uploads of all, or of the account, exceed their budget.
 */
export async function readMultipart(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<void> {
  if (!request.isMultipart()) return;
  if (!/boundary=/i.test(request.headers['content-type'] ?? '')) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The Content-Type of the multipart body names no boundary.');
  }
  const { account } = readCaller(request);
  const length = request.headers['content-length'];
  const upload = services.uploadBudget.start(account.id, MAX_UPLOAD_BYTES, length);
  const end = new AbortController();
  request.endUpload = async () => {
    upload.end();
    end.abort();
    await services.store.blobs.discardStaged(request.id);
  };
  // If removal fails here, housekeeping removes the files later.
  reply.raw.once('close', () => void request.endUpload?.().catch(() => undefined));
  try {
    await upload.watch(readParts(request, upload, services, end.signal));
  } catch (error) {
    // The rest of a refused body is read and discarded, which must not use up the budget of others.
    upload.end();
    const apiError = toApiError(error);
    if (apiError) throw apiError;
    // Everything else is a parse error of the body.
    throw makeRequestError('The multipart body is cut off or not valid.');
  }
}

async function readParts(
  request: FastifyRequest,
  upload: OpenUpload,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const { blobs } = services.store;
  const files = new Map<string, { stagedName: string; sha256: string }>();
  let body: unknown;
  for await (const part of request.parts({ isPartAFile, preservePath: true })) {
    if (part.type === 'field') continue;
    // A part whose sender was dropped never ends by itself, and would keep its file open.
    addAbortSignal(signal, part.file);
    if (part.fieldname === REQUEST_PART) {
      if (body !== undefined) throw makeRequestError('Two parts are named "request"; send one.', 'request');
      body = parseJson(await readRequestPart(part, upload));
      continue;
    }
    if (files.has(part.filename)) {
      const name = JSON.stringify(part.filename.slice(0, 80));
      throw makeRequestError(`Two uploaded files are named ${name}.`);
    }
    const hash = createHash('sha256');
    const stagedName = `upload-${files.size}`;
    const chunks = countChunks(part, upload, (chunk) => hash.update(chunk));
    await blobs.stage(request.id, stagedName, chunks);
    files.set(part.filename, { stagedName, sha256: hash.digest('hex') });
  }
  if (body === undefined)
    throw makeRequestError('The upload has no part named "request" with the JSON body.', 'request');
  request.uploads = {
    async read(name) {
      // Browsers and most clients send a quote in a file name as %22.
      const file = files.get(name) ?? files.get(name.replaceAll('"', '%22'));
      return file && blobs.getStaged(request.id, file.stagedName);
    },
    digests: () => [...files].map(([name, { sha256 }]) => [name, sha256] as const),
  };
  request.body = body;
}

async function* countChunks(part: MultipartFile, upload: OpenUpload, onChunk: (chunk: Buffer) => void) {
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    upload.count(chunk.byteLength);
    onChunk(chunk);
    yield chunk;
  }
}

async function readRequestPart(part: MultipartFile, upload: OpenUpload): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of countChunks(part, upload, () => undefined)) {
    bytes += chunk.byteLength;
    // The rest is read and discarded: closing the connection while the client sends would lose the response.
    if (bytes <= MAX_JSON_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_JSON_BYTES)
    throw new ApiError(
      'PAYLOAD_TOO_LARGE',
      `The part "request" is larger than ${MAX_JSON_BYTES / 1024} KiB.`,
    );
  return Buffer.concat(chunks);
}
