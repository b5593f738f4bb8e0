import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { answer, inspectionList, ReportFields } from '../../contract/answers.ts';
import {
  AssessmentEnvelopeSchema,
  type AssessmentRequest,
  AssessmentRequestSchema,
  DamageAssessmentSchema,
} from '../../contract/assessment.ts';
import { StringEnum } from '../../contract/common.ts';
import { VisualInspectionSchema } from '../../contract/inspection.ts';
import { ListQuerySchema } from '../../contract/requests.ts';
import type { IdempotencyRef, InspectionRecord } from '../../storage/ports.ts';
import type { App } from '../http/app-type.ts';
import { callerOf } from '../http/auth.ts';
import { type Answer, once } from '../http/idempotency.ts';
import { secondsBetween } from '../jobs/visual.ts';
import { ASSESSMENT_PATH, assessmentReport, presentAssessment, presentVisual } from '../present.ts';
import type { Services } from '../services.ts';
import { assessmentEvent, messagesFor } from '../webhooks/events.ts';
import { findRecord, listPage } from './listing.ts';
import { BODY_CODES, described, failures, SECURITY } from './schemas.ts';

const Params = Type.Object({ assessment_id: Type.String({ minLength: 1, maxLength: 128 }) });
const { vehicle_id, created_at, ...visualFields } = VisualInspectionSchema.properties;
/** Either kind, told apart by `kind`; fields as where the kind is listed by itself. */
const AnyInspectionSchema = Type.Object({
  kind: StringEnum(['visual', 'damage_assessment'] as const),
  ...Type.Partial(DamageAssessmentSchema).properties,
  ...Type.Partial(Type.Object(visualFields)).properties,
  vehicle_id,
  created_at,
});

async function create(
  request: FastifyRequest,
  body: AssessmentRequest,
  ref: IdempotencyRef | undefined,
  services: Services,
): Promise<Answer> {
  const { store, clock, settings, programs, links, dispatcher } = services;
  const caller = callerOf(request);
  const id = clock.newId('asmt');
  const now = clock.now();
  const priced = programs.assessor.assess(body, { assessmentId: id, now, requestId: request.id });
  // The damages are judged first: their errors name a field of this request, the inspection's may be mended elsewhere.
  if (body.inspection_id !== undefined) await findRecord(body.inspection_id, 'visual', caller, services);
  const createdAt = now.toISOString();
  const pdf = await programs.artifacts.assessmentPdf(priced).catch((error: unknown) => {
    request.log.error({ err: error }, 'report could not be made');
    return undefined;
  });
  const completedAt = clock.now().toISOString();
  const record: InspectionRecord = {
    id,
    accountId: caller.account.id,
    environment: settings.environment,
    kind: 'damage_assessment',
    vehicleId: body.vehicle_id,
    status: 'completed',
    createdAt,
    completedAt,
    attempts: 1,
    document: { ...priced.data, reports: { pdf_url: pdf ? 'report.pdf' : null, json_url: null } },
    meta: { ...priced.meta, processing_time: secondsBetween(createdAt, completedAt) },
    request: null,
  };
  if (pdf) await store.blobs.put(id, 'report.pdf', pdf);
  const shown = presentAssessment(record, links);
  try {
    const messages = await messagesFor(assessmentEvent(shown, completedAt), {
      store,
      clock,
      accountId: caller.account.id,
      environment: settings.environment,
      simulate: request.simulate.webhook,
    });
    await store.inspections.create(record, { messages, ...(ref ? { idempotency: ref } : {}) });
  } catch (error) {
    await store.blobs.remove(id);
    throw error;
  }
  dispatcher.wake();
  return answerFor(record, services);
}

function answerFor(record: InspectionRecord, { links }: Services): Answer {
  return {
    status: 201,
    headers: { location: links.operation(`${ASSESSMENT_PATH}/${record.id}`) },
    body: { status: 'success', data: presentAssessment(record, links), meta: record.meta },
  };
}

/** The operations on damage assessments, and the list of both kinds. */
export function assessmentRoutes(app: App, services: Services): void {
  const { links, store } = services;

  app.post(
    ASSESSMENT_PATH,
    {
      config: { permission: 'inspections:write' },
      // The assessor checks the body itself and tells every wrong field at once; the schema is the document's.
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'createDamageAssessment',
        tags: ['assessments'],
        summary: 'Create a damage assessment',
        security: SECURITY,
        headers: Type.Object({
          'idempotency-key': Type.Optional(
            Type.String({ description: 'Same key and body within 24 h: the stored answer.' }),
          ),
        }),
        body: AssessmentRequestSchema,
        response: {
          201: described(AssessmentEnvelopeSchema, 'The assessment.'),
          ...failures(
            ...BODY_CODES,
            'INVALID_DAMAGE_DATA',
            'INVALID_REGION',
            'INVALID_CURRENCY',
            'INSPECTION_NOT_FOUND',
            'IDEMPOTENCY_CONFLICT',
          ),
        },
      },
    },
    async (request: FastifyRequest, reply: FastifyReply) =>
      once(
        request,
        reply,
        'assessment',
        services,
        (ref) => create(request, request.body as AssessmentRequest, ref, services),
        async (id) =>
          answerFor(await findRecord(id, 'damage_assessment', callerOf(request), services), services),
      ),
  );

  app.get(
    ASSESSMENT_PATH,
    {
      config: { permission: 'inspections:read' },
      schema: {
        operationId: 'listDamageAssessments',
        tags: ['assessments'],
        summary: 'List damage assessments, newest first (extension)',
        security: SECURITY,
        querystring: ListQuerySchema,
        response: { 200: described(inspectionList(DamageAssessmentSchema), 'One page.'), ...failures() },
      },
    },
    async (request) => {
      const { records, pagination } = await listPage(
        request.query,
        callerOf(request),
        services,
        'damage_assessment',
      );
      return {
        status: 'success' as const,
        data: { inspections: records.map((r) => presentAssessment(r, links)), pagination },
      };
    },
  );

  app.get(
    `${ASSESSMENT_PATH}/:assessment_id`,
    {
      config: { permission: 'inspections:read' },
      schema: {
        operationId: 'getDamageAssessment',
        tags: ['assessments'],
        summary: 'Fetch one damage assessment (extension)',
        security: SECURITY,
        params: Params,
        response: {
          200: described(answer(DamageAssessmentSchema), 'The assessment.'),
          ...failures('ASSESSMENT_NOT_FOUND'),
        },
      },
    },
    async (request) => {
      const record = await findRecord(
        request.params.assessment_id,
        'damage_assessment',
        callerOf(request),
        services,
      );
      return { status: 'success' as const, data: presentAssessment(record, links) };
    },
  );

  app.get(
    `${ASSESSMENT_PATH}/:assessment_id/report`,
    {
      config: { permission: 'inspections:read' },
      schema: {
        operationId: 'getDamageAssessmentReport',
        tags: ['assessments'],
        summary: 'JSON report of an assessment',
        security: SECURITY,
        params: Params,
        response: {
          200: described(
            answer(Type.Object({ ...DamageAssessmentSchema.properties, ...ReportFields })),
            'The report.',
          ),
          ...failures('ASSESSMENT_NOT_FOUND'),
        },
      },
    },
    async (request) => {
      const record = await findRecord(
        request.params.assessment_id,
        'damage_assessment',
        callerOf(request),
        services,
      );
      return { status: 'success' as const, data: assessmentReport(record, links) };
    },
  );

  app.delete(
    `${ASSESSMENT_PATH}/:assessment_id`,
    {
      config: { permission: 'inspections:write' },
      schema: {
        operationId: 'deleteDamageAssessment',
        tags: ['assessments'],
        summary: 'Delete a damage assessment with its files (extension)',
        security: SECURITY,
        params: Params,
        response: { 204: { type: 'null', description: 'Deleted.' }, ...failures('ASSESSMENT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const record = await findRecord(
        request.params.assessment_id,
        'damage_assessment',
        callerOf(request),
        services,
      );
      await store.inspections.purge({ id: record.id });
      await store.blobs.remove(record.id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/v1/inspections',
    {
      config: { permission: 'inspections:read' },
      schema: {
        operationId: 'listInspections',
        tags: ['inspections'],
        summary: 'List visual inspections and damage assessments together, newest first',
        security: SECURITY,
        querystring: ListQuerySchema,
        response: {
          200: described(inspectionList(AnyInspectionSchema), 'One page; `kind` tells them apart.'),
          ...failures(),
        },
      },
    },
    async (request) => {
      const { records, pagination } = await listPage(request.query, callerOf(request), services);
      const inspections = records.map((r) =>
        r.kind === 'visual'
          ? { kind: r.kind, ...presentVisual(r, links) }
          : { kind: r.kind, ...presentAssessment(r, links) },
      );
      return { status: 'success' as const, data: { inspections, pagination } };
    },
  );
}
