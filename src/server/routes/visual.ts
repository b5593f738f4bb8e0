import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { answer, CreatedMetaSchema, inspectionList, VisualReportSchema } from '../../contract/answers.ts';
import { successEnvelope } from '../../contract/common.ts';
import { isErrorCode } from '../../contract/errors.ts';
import { VisualInspectionSchema } from '../../contract/inspection.ts';
import { ListQuerySchema, type VisualRequest, VisualRequestSchema } from '../../contract/requests.ts';
import { isCurrency } from '../../domain/money.ts';
import type { IdempotencyRef, InspectionRecord } from '../../storage/ports.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { callerOf } from '../http/auth.ts';
import { type Answer, once } from '../http/idempotency.ts';
import { readUpload } from '../http/uploads.ts';
import { emptyInspection, photoName, type VisualJob } from '../jobs/visual.ts';
import { collectPhotos } from '../photos/collect.ts';
import { presentVisual, VISUAL_PATH, visualReport } from '../present.ts';
import type { Services } from '../services.ts';
import { findRecord, listPage } from './listing.ts';
import { BODY_CODES, described, failures, SECURITY } from './schemas.ts';

const Params = Type.Object({ inspection_id: Type.String({ minLength: 1, maxLength: 128 }) });
const Created = successEnvelope(VisualInspectionSchema, CreatedMetaSchema);

function checkOptions(options: NonNullable<VisualRequest['options']>, services: Services): void {
  const { labor_rate_region: region, currency } = options;
  if (region !== undefined && !services.programs.assessor.regions.includes(region)) {
    const known = services.programs.assessor.regions.join(', ');
    throw new ApiError('INVALID_REGION', `options.labor_rate_region must be one of ${known}.`, {
      field: 'options.labor_rate_region',
    });
  }
  if (currency !== undefined && !isCurrency(currency)) {
    throw new ApiError('INVALID_CURRENCY', 'options.currency must be one of USD, EUR, GBP, JPY, CNY.', {
      field: 'options.currency',
    });
  }
}

function answerFor(record: InspectionRecord, services: Services): Answer {
  const data = presentVisual(record, services.links);
  const { failure: _inside, ...meta } = record.meta as Record<string, unknown>;
  return {
    status: record.status === 'processing' ? 202 : 201,
    headers: {
      location: services.links.operation(`${VISUAL_PATH}/${record.id}`),
      ...(record.status === 'processing' ? { 'retry-after': '2' } : {}),
    },
    body: { status: 'success', data, meta },
  };
}

/** A photo that only the decoder could reject ends as the contract's error, and leaves nothing behind. */
async function refuseIfRejected(record: InspectionRecord, services: Services): Promise<void> {
  const failure = (
    record.meta as {
      failure?: { code: string; message: string; field?: string; details?: Record<string, unknown> };
    }
  ).failure;
  if (record.status !== 'failed' || failure?.field === undefined || !isErrorCode(failure.code)) return;
  await services.store.inspections.purge({ id: record.id });
  await services.store.blobs.remove(record.id);
  throw new ApiError(failure.code, failure.message, {
    field: failure.field,
    ...(failure.details === undefined ? {} : { details: failure.details }),
  });
}

async function create(
  request: FastifyRequest,
  body: VisualRequest,
  ref: IdempotencyRef | undefined,
  services: Services,
): Promise<Answer> {
  const { store, settings, clock, queue, programs } = services;
  const { account } = callerOf(request);
  const place = queue.reserve();
  if (!place) {
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      `${queue.limit} analyses are waiting already; try again later.`,
      {
        details: { reason: 'queue_full' },
        headers: { 'retry-after': '10' },
      },
    );
  }
  const id = clock.newId('vis');
  const createdAt = clock.now().toISOString();
  const job: VisualJob = {
    images: body.images.map(({ url, angle, type }) => ({ url, angle, type })),
    options: body.options ?? {},
    requestId: request.id,
    simulate: {
      ...(request.simulate.outcome === undefined ? {} : { outcome: request.simulate.outcome }),
      ...(request.simulate.webhook === undefined ? {} : { webhook: request.simulate.webhook }),
    },
  };
  const record: InspectionRecord = {
    id,
    accountId: account.id,
    environment: settings.environment,
    kind: 'visual',
    vehicleId: body.vehicle_id,
    status: 'processing',
    createdAt,
    completedAt: null,
    attempts: 0,
    document: emptyInspection(id, body.vehicle_id, createdAt),
    meta: {
      request_id: request.id,
      processing_time: 0,
      images_processed: body.images.length,
      ai_model_version: programs.modelVersion,
    },
    request: job,
  };
  try {
    await collectPhotos(body.images, {
      uploads: request.uploads,
      fetcher: services.fetcher,
      checker: programs.photos,
      concurrency: settings.fetchConcurrency,
      keep: (index, bytes) => store.blobs.put(id, photoName(index), bytes),
    });
    await store.inspections.create(record, ref ? { idempotency: ref } : {});
  } catch (error) {
    place.cancel();
    await store.blobs.remove(id);
    throw error;
  }
  const done = place.submit(id);
  const deferred =
    /(^|,)\s*respond-async\s*(;|,|$)/i.test(String(request.headers.prefer ?? '')) ||
    job.simulate.outcome === 'processing' ||
    body.images.length > settings.inlineImages;
  if (deferred) return answerFor(record, services);
  const patience = new AbortController();
  await Promise.race([
    done,
    sleep(settings.inlineMs, undefined, { signal: patience.signal, ref: false }).catch(() => undefined),
  ]);
  patience.abort();
  const now = (await store.inspections.get(id)) ?? record;
  await refuseIfRejected(now, services);
  return answerFor(now, services);
}

/** The five operations on visual inspections. */
export function visualRoutes(app: App, services: Services): void {
  const { links, store } = services;

  app.post(
    VISUAL_PATH,
    {
      config: { permission: 'inspections:write' },
      schema: {
        operationId: 'createVisualInspection',
        tags: ['inspections'],
        summary: 'Create a visual inspection',
        description:
          'Answers 201 with the result, or 202 with `status: processing` when `Prefer: respond-async` is sent or there is more work than is done inline. Photos may be sent as multipart/form-data: part `request` holds this JSON body, each `images[].url` names one of the uploaded files.',
        security: SECURITY,
        headers: Type.Object({
          prefer: Type.Optional(Type.String({ description: '`respond-async` answers 202 at once.' })),
          'idempotency-key': Type.Optional(
            Type.String({ description: 'Same key and body within 24 h: the stored answer.' }),
          ),
        }),
        body: {
          content: {
            'application/json': { schema: VisualRequestSchema },
            'multipart/form-data': { schema: VisualRequestSchema },
          },
        },
        response: {
          201: described(Created, 'The inspection, analysed (or `failed`).'),
          202: described(Created, 'The inspection, `processing`; its address is in `Location`.'),
          ...failures(
            ...BODY_CODES,
            'INSUFFICIENT_IMAGES',
            'TOO_MANY_IMAGES',
            'INVALID_REGION',
            'INVALID_CURRENCY',
            'IMAGE_QUALITY_TOO_LOW',
            'IMAGE_TOO_LARGE',
            'UNSUPPORTED_IMAGE_FORMAT',
            'IMAGE_UNREADABLE',
            'IMAGE_FETCH_FAILED',
            'IDEMPOTENCY_CONFLICT',
          ),
        },
      },
      preValidation: readUpload,
    },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const body = request.body as VisualRequest;
      checkOptions(body.options ?? {}, services);
      return once(
        request,
        reply,
        'visual',
        services,
        (ref) => create(request, body, ref, services),
        async (id) => answerFor(await findRecord(id, 'visual', callerOf(request), services), services),
      );
    },
  );

  app.get(
    VISUAL_PATH,
    {
      config: { permission: 'inspections:read' },
      schema: {
        operationId: 'listVisualInspections',
        tags: ['inspections'],
        summary: 'List visual inspections, newest first',
        security: SECURITY,
        querystring: ListQuerySchema,
        response: { 200: described(inspectionList(VisualInspectionSchema), 'One page.'), ...failures() },
      },
    },
    async (request) => {
      const { records, pagination } = await listPage(request.query, callerOf(request), services, 'visual');
      return {
        status: 'success' as const,
        data: { inspections: records.map((r) => presentVisual(r, links)), pagination },
      };
    },
  );

  app.get(
    `${VISUAL_PATH}/:inspection_id`,
    {
      config: { permission: 'inspections:read' },
      schema: {
        operationId: 'getVisualInspection',
        tags: ['inspections'],
        summary: 'Fetch one visual inspection',
        security: SECURITY,
        params: Params,
        response: {
          200: described(answer(VisualInspectionSchema), 'The inspection.'),
          ...failures('INSPECTION_NOT_FOUND'),
        },
      },
    },
    async (request) => {
      const record = await findRecord(request.params.inspection_id, 'visual', callerOf(request), services);
      return { status: 'success' as const, data: presentVisual(record, links) };
    },
  );

  app.get(
    `${VISUAL_PATH}/:inspection_id/report`,
    {
      config: { permission: 'inspections:read' },
      schema: {
        operationId: 'getVisualInspectionReport',
        tags: ['inspections'],
        summary: 'JSON report of a visual inspection',
        security: SECURITY,
        params: Params,
        response: {
          200: described(answer(VisualReportSchema), 'The report.'),
          ...failures('INSPECTION_NOT_FOUND'),
        },
      },
    },
    async (request) => {
      const record = await findRecord(request.params.inspection_id, 'visual', callerOf(request), services);
      return { status: 'success' as const, data: visualReport(record, links) };
    },
  );

  app.delete(
    `${VISUAL_PATH}/:inspection_id`,
    {
      config: { permission: 'inspections:write' },
      schema: {
        operationId: 'deleteVisualInspection',
        tags: ['inspections'],
        summary: 'Delete a visual inspection with its photos and files',
        security: SECURITY,
        params: Params,
        response: { 204: { type: 'null', description: 'Deleted.' }, ...failures('INSPECTION_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const record = await findRecord(request.params.inspection_id, 'visual', callerOf(request), services);
      await store.inspections.purge({ id: record.id });
      await store.blobs.remove(record.id);
      return reply.code(204).send(null);
    },
  );
}
