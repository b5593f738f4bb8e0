import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_MS } from '../../lib/durations.ts';
import { isObject } from '../../lib/fields.ts';
import {
  CLAIM_TTL_MS,
  ClaimLostError,
  type IdempotencyEntry,
  type IdempotencyRef,
  type StoredResponse,
} from '../../storage/ports.ts';
import type { Services } from '../services.ts';
import { ApiError, makeRequestError } from './api-error.ts';
import { readCaller } from './auth.ts';
import type { Uploads } from './fastify-types.ts';

/** Lifetime of a response stored for its key, in milliseconds. */
export const IDEMPOTENCY_TTL_MS = DAY_MS;

/** Sorts the keys of objects (replacer of `JSON.stringify`). */
const sortKeys = (_key: string, value: unknown) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** Computes a digest of a body's content; key order does not matter, uploaded bytes do. */
function hashBody(body: unknown, uploads: Pick<Uploads, 'digests'> | null): string {
  const hash = createHash('sha256').update(JSON.stringify(body, sortKeys));
  for (const [name, sha256] of uploads?.digests() ?? []) hash.update(`\n${name}\n${sha256}`);
  return hash.digest('hex');
}

function readKey(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw makeRequestError('Idempotency-Key must be 1 to 255 visible ASCII characters.', 'Idempotency-Key');
  }
  return header;
}

function sendResponse(reply: FastifyReply, { status, headers, body }: StoredResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

async function replayResponse(
  entry: IdempotencyEntry,
  fingerprint: string,
  reply: FastifyReply,
  rebuild: (resourceId: string) => Promise<StoredResponse>,
): Promise<FastifyReply> {
  if (entry.fingerprint !== fingerprint) {
    throw new ApiError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used with another request body.', {
      field: 'Idempotency-Key',
    });
  }
  const response = entry.answer ?? (entry.resourceId === null ? null : await rebuild(entry.resourceId));
  if (response === null) throw makeInProgressError();
  reply.header('idempotency-replayed', 'true').type('application/json; charset=utf-8');
  return sendResponse(reply, response);
}

/** Releases claims; keeps those that fail among `unreleased` until the store responds. They also expire soon. */
async function releaseClaims(claims: Iterable<string>, { store, unreleased }: Services): Promise<void> {
  for (const claim of claims) unreleased.add(claim);
  const released = [...unreleased];
  if (released.length === 0) return;
  await store.idempotency.release(released);
  for (const claim of released) unreleased.delete(claim);
}

const makeInProgressError = () =>
  new ApiError('IDEMPOTENCY_CONFLICT', 'The first request with this Idempotency-Key is still in progress.', {
    field: 'Idempotency-Key',
    headers: { 'retry-after': '1' },
  });

/**
 * Runs the operation of an account once per `Idempotency-Key` and day: a repeat with the same body replays the response,
 * another body gets 409. Without the header it always runs. `rebuild` restores a response lost with its process.
 */
export async function runOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: string,
  services: Services,
  run: (ref: IdempotencyRef | undefined) => Promise<StoredResponse>,
  rebuild: (resourceId: string) => Promise<StoredResponse>,
): Promise<FastifyReply> {
  const key = readKey(request);
  if (key === undefined) return sendResponse(reply, await run(undefined));
  const { store, clock, settings } = services;
  const ref: IdempotencyRef = {
    accountId: readCaller(request).account.id,
    environment: settings.environment,
    operation,
    key,
    claim: randomUUID(),
  };
  const fingerprint = hashBody(request.body, request.uploads);
  const nowMs = clock.wallMs();
  await releaseClaims([], services);
  const existing = await store.idempotency.claim(ref, fingerprint, nowMs, nowMs - IDEMPOTENCY_TTL_MS);
  if (existing) return replayResponse(existing, fingerprint, reply, rebuild);
  const renew = () => void store.idempotency.renew([ref.claim]).catch(() => undefined);
  const renewal = setInterval(renew, CLAIM_TTL_MS / 5).unref();
  try {
    const response = await run(ref);
    await store.idempotency.saveAnswer(ref, response);
    return sendResponse(reply, response);
  } catch (error) {
    if (error instanceof ClaimLostError) throw makeInProgressError();
    await releaseClaims([ref.claim], services).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}
