import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';

/**
 * Returns the inclusive bounds of the single range that a GET asks for; undefined for none, several, an invalid one, or one
 * of other bytes. @throws ApiError RANGE_NOT_SATISFIABLE
 */
function readRange(
  { method, headers }: FastifyRequest,
  etag: string,
  size: number,
): [number, number] | undefined {
  const { range = '', 'if-range': condition = etag } = headers;
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (method !== 'GET' || first === undefined || last === undefined || condition !== etag) return undefined;
  if (first + last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start <= end) return [start, end];
  throw new ApiError('RANGE_NOT_SATISFIABLE', `The range lies beyond the ${size} bytes.`, {
    headers: { 'content-range': `bytes */${size}` },
  });
}

/** Sends bytes under an ETag: 304 to a client that has them, 206 for a range of them. @throws ApiError */
export function sendBytes(request: FastifyRequest, reply: FastifyReply, bytes: Uint8Array): FastifyReply {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  reply.headers({ etag, 'accept-ranges': 'bytes' });
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known?.some((one) => one === etag || one === '*')) return reply.code(304).send();
  const range = readRange(request, etag, bytes.byteLength);
  if (range === undefined) return reply.send(bytes);
  const [start, end] = range;
  return reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${bytes.byteLength}`)
    .send(bytes.subarray(start, end + 1));
}
