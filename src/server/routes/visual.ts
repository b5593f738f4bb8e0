import type { FastifyReply, FastifyRequest } from 'fastify';
import { defineInspectionList, VisualReportSchema } from '../../contract/answers.ts';
import { defineSuccessEnvelope, Id } from '../../contract/common.ts';
import { InspectionMetaSchema, VisualInspectionSchema } from '../../contract/inspection.ts';
import { ListQuerySchema, type VisualRequest, VisualRequestSchema } from '../../contract/requests.ts';
import { Type } from '../../lib/type.ts';
import { removeInspections } from '../../storage/removal.ts';
import { readCaller } from '../http/auth.ts';
import type { App } from '../http/fastify-types.ts';
import { runOnce } from '../http/idempotency.ts';
import { endUpload, readUpload } from '../http/uploads.ts';
import { createValidator } from '../http/validation.ts';
import { presentVisualReport, VISUAL_PATH } from '../present-record.ts';
import { presentReviewed } from '../reviews/present-review.ts';
import type { Services } from '../services.ts';
import { createVisual, makeCreatedResponse } from './create-visual.ts';
import { findRecord, listPage } from './listing.ts';
import {
  BODY_CODES,
  defineEmptyResponse,
  defineOperations,
  describeData,
  describeResponse,
  IdempotencyHeaders,
  LOCATION,
  POLL_HEADERS,
} from './schemas.ts';
import { createVisualRules } from './visual-rules.ts';

const defineWrite = defineOperations('inspections', 'inspections:write');
const defineRead = defineOperations('inspections', 'inspections:read');

const Params = Type.Object({ inspection_id: Id() });
const CreatedEnvelope = defineSuccessEnvelope(VisualInspectionSchema, InspectionMetaSchema);

/** Registers the operation that creates visual inspections; the app must have the multipart parser. */
export function createVisualRoute(app: App, services: Services): void {
  const rules = createVisualRules(services.programs.assessor);
  app.post(
    VISUAL_PATH,
    {
      ...defineWrite('createVisualInspection', 'Create a visual inspection', {
        description:
          'Answers 201 with the result, or 202 with `status: processing` when `Prefer: respond-async` is sent or there is more work than is done inline. Photos may be sent as multipart/form-data: part `request` holds this JSON body, each `images[].url` names one of the uploaded files.',
        headers: Type.Object({
          prefer: Type.Optional(Type.String({ description: '`respond-async` answers 202 at once.' })),
          ...IdempotencyHeaders.properties,
        }),
        body: {
          content: {
            'application/json': { schema: VisualRequestSchema },
            'multipart/form-data': { schema: VisualRequestSchema },
          },
        },
        response: {
          201: describeResponse(CreatedEnvelope, 'The inspection, analyzed (or `failed`).', LOCATION),
          202: describeResponse(
            CreatedEnvelope,
            'The inspection, `processing`; its address is in `Location`.',
            POLL_HEADERS,
          ),
        },
        codes: [
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
        ],
      }),
      validatorCompiler: (route) => createValidator(route, rules),
      preValidation: (request, reply) => readUpload(request, reply, services),
      onResponse: endUpload,
    },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const body = request.body as VisualRequest;
      // The handler needs the photos until it ends, even if the client disconnects.
      const end = request.endUpload;
      request.endUpload = null;
      return runOnce(
        request,
        reply,
        'visual',
        services,
        (ref) => createVisual(request, body, ref, services),
        async (id) =>
          makeCreatedResponse(await findRecord(id, 'visual', readCaller(request), services), services),
      ).finally(end ?? (() => undefined));
    },
  );
}

/** Registers the other operations on visual inspections: list, fetch, report, delete. */
export function registerVisualRoutes(app: App, services: Services): void {
  const { links, store } = services;
  const readRecord = (id: string, request: FastifyRequest) =>
    findRecord(id, 'visual', readCaller(request), services);

  app.get(
    VISUAL_PATH,
    defineRead('listVisualInspections', 'List visual inspections, newest first', {
      querystring: ListQuerySchema,
      response: { 200: describeResponse(defineInspectionList(VisualInspectionSchema), 'One page.') },
    }),
    (request) => listPage(request, services, (record) => presentReviewed(record, services), 'visual'),
  );

  app.get(
    `${VISUAL_PATH}/:inspection_id`,
    defineRead('getVisualInspection', 'Fetch one visual inspection', {
      params: Params,
      response: { 200: describeData(VisualInspectionSchema, 'The inspection.') },
      codes: ['INSPECTION_NOT_FOUND'],
    }),
    async (request) => {
      const record = await readRecord(request.params.inspection_id, request);
      return { status: 'success' as const, data: await presentReviewed(record, services) };
    },
  );

  app.get(
    `${VISUAL_PATH}/:inspection_id/report`,
    defineRead('getVisualInspectionReport', 'JSON report of a visual inspection', {
      params: Params,
      response: { 200: describeData(VisualReportSchema, 'The report.') },
      codes: ['INSPECTION_NOT_FOUND'],
    }),
    async (request) => {
      const record = await readRecord(request.params.inspection_id, request);
      return { status: 'success' as const, data: presentVisualReport(record, links) };
    },
  );

  app.delete(
    `${VISUAL_PATH}/:inspection_id`,
    defineWrite('deleteVisualInspection', 'Delete a visual inspection with its photos and files', {
      params: Params,
      response: { 204: defineEmptyResponse('Deleted.') },
      codes: [...BODY_CODES, 'INSPECTION_NOT_FOUND'],
    }),
    async (request, reply) => {
      const record = await readRecord(request.params.inspection_id, request);
      await removeInspections(store, { id: record.id });
      return reply.code(204).send(null);
    },
  );
}
