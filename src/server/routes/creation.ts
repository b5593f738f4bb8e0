import type { FastifyReply, FastifyRequest } from 'fastify';
import type {
  IdempotencyRef,
  InspectionKind,
  InspectionRecord,
  StoredResponse,
} from '../../storage/ports.ts';
import { runOnce } from '../http/idempotency.ts';
import { succeed } from '../http/success.ts';
import { KIND_PATHS } from '../links.ts';
import { presentRecord } from '../present-record.ts';
import type { Services } from '../services.ts';
import { findRecord } from './listing.ts';

/** Builds the response to a creation: 202 with the URL to poll while the record is processing, otherwise 201. */
function makeCreatedResponse(record: InspectionRecord, { links }: Services): StoredResponse {
  const isProcessing = record.status === 'processing';
  const { failure: _inside, ...meta } = record.meta as Record<string, unknown>;
  return {
    status: isProcessing ? 202 : 201,
    headers: {
      location: links.makeOperationUrl(`${KIND_PATHS[record.kind]}/${record.id}`),
      ...(isProcessing ? { 'retry-after': '2' } : {}),
    },
    body: { ...succeed(presentRecord(record, links)), meta },
  };
}

/** Creates a record once per `Idempotency-Key`, and builds the response from it. */
export const createOnce = (
  request: FastifyRequest,
  reply: FastifyReply,
  kind: InspectionKind,
  services: Services,
  create: (ref: IdempotencyRef | undefined) => Promise<InspectionRecord>,
) =>
  runOnce(
    request,
    reply,
    kind,
    services,
    async (ref) => makeCreatedResponse(await create(ref), services),
    async (id) => makeCreatedResponse(await findRecord(kind, request, services, id), services),
  );
