import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { answer, inspectionList, ReportFields } from '../../contract/answers.ts';
import { AssessmentEnvelopeSchema, DamageAssessmentSchema } from '../../contract/assessment/assessment.ts';
import { type AssessmentRequest, AssessmentRequestSchema } from '../../contract/assessment/request.ts';
import { ListQuerySchema } from '../../contract/requests.ts';
import { removeInspections } from '../../storage/removal.ts';
import type { App } from '../http/app-type.ts';
import { callerOf } from '../http/auth.ts';
import { once } from '../http/idempotency.ts';
import { ASSESSMENT_PATH, assessmentReport, presentAssessment } from '../present-record.ts';
import type { Services } from '../services.ts';
import { assessmentAnswer, createAssessment } from './create-assessment.ts';
import { findRecord, listPage } from './listing.ts';
import { BODY_CODES, described, empty, failures, LOCATION, SECURITY } from './schemas.ts';

const Params = Type.Object({ assessment_id: Type.String({ minLength: 1, maxLength: 128 }) });

/** Registers the operations on damage assessments. */
export function assessmentRoutes(app: App, services: Services): void {
  const { links, store } = services;
  const recordOf = (id: string, request: FastifyRequest) =>
    findRecord(id, 'damage_assessment', callerOf(request), services);

  app.post(
    ASSESSMENT_PATH,
    {
      config: { permission: 'inspections:write' },
      // The assessor checks the body itself and reports every wrong field at once; the schema is the document's.
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
          201: described(AssessmentEnvelopeSchema, 'The assessment.', LOCATION),
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
        (ref) => createAssessment(request, request.body as AssessmentRequest, ref, services),
        async (id) => assessmentAnswer(await recordOf(id, request), services),
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
      const record = await recordOf(request.params.assessment_id, request);
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
      const record = await recordOf(request.params.assessment_id, request);
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
        response: { 204: empty('Deleted.'), ...failures(...BODY_CODES, 'ASSESSMENT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const record = await recordOf(request.params.assessment_id, request);
      await removeInspections(store, { id: record.id });
      return reply.code(204).send(null);
    },
  );
}
