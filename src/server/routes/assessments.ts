import type { FastifyReply, FastifyRequest } from 'fastify';
import { defineInspectionList, ReportFields } from '../../contract/answers.ts';
import { AssessmentEnvelopeSchema, DamageAssessmentSchema } from '../../contract/assessment/assessment.ts';
import { type AssessmentRequest, AssessmentRequestSchema } from '../../contract/assessment/request.ts';
import { Id } from '../../contract/common.ts';
import { ListQuerySchema } from '../../contract/requests.ts';
import { Type } from '../../lib/type.ts';
import { removeInspections } from '../../storage/removal.ts';
import { readCaller } from '../http/auth.ts';
import type { App } from '../http/fastify-types.ts';
import { runOnce } from '../http/idempotency.ts';
import { ASSESSMENT_PATH, presentAssessment, presentAssessmentReport } from '../present-record.ts';
import type { Services } from '../services.ts';
import { createAssessment, makeAssessmentResponse } from './create-assessment.ts';
import { findRecord, listPage } from './listing.ts';
import {
  BODY_CODES,
  defineEmptyResponse,
  defineOperations,
  describeData,
  describeResponse,
  IdempotencyHeaders,
  LOCATION,
} from './schemas.ts';

const defineWrite = defineOperations('assessments', 'inspections:write');
const defineRead = defineOperations('assessments', 'inspections:read');

const Params = Type.Object({ assessment_id: Id() });

/** Registers the operations on damage assessments. */
export function registerAssessmentRoutes(app: App, services: Services): void {
  const { links, store } = services;
  const readRecord = (id: string, request: FastifyRequest) =>
    findRecord(id, 'damage_assessment', readCaller(request), services);

  app.post(
    ASSESSMENT_PATH,
    {
      ...defineWrite('createDamageAssessment', 'Create a damage assessment', {
        headers: IdempotencyHeaders,
        body: AssessmentRequestSchema,
        response: { 201: describeResponse(AssessmentEnvelopeSchema, 'The assessment.', LOCATION) },
        codes: [
          ...BODY_CODES,
          'INVALID_DAMAGE_DATA',
          'INVALID_REGION',
          'INVALID_CURRENCY',
          'INSPECTION_NOT_FOUND',
          'IDEMPOTENCY_CONFLICT',
        ],
      }),
      // `checkAssessmentRequest` validates the body, because it reports schema and cross-field errors at once.
      validatorCompiler: () => () => true,
    },
    async (request: FastifyRequest, reply: FastifyReply) =>
      runOnce(
        request,
        reply,
        'assessment',
        services,
        (ref) => createAssessment(request, request.body as AssessmentRequest, ref, services),
        async (id) => makeAssessmentResponse(await readRecord(id, request), services),
      ),
  );

  app.get(
    ASSESSMENT_PATH,
    defineRead('listDamageAssessments', 'List damage assessments, newest first (extension)', {
      querystring: ListQuerySchema,
      response: { 200: describeResponse(defineInspectionList(DamageAssessmentSchema), 'One page.') },
    }),
    (request) =>
      listPage(request, services, (record) => presentAssessment(record, links), 'damage_assessment'),
  );

  app.get(
    `${ASSESSMENT_PATH}/:assessment_id`,
    defineRead('getDamageAssessment', 'Fetch one damage assessment (extension)', {
      params: Params,
      response: { 200: describeData(DamageAssessmentSchema, 'The assessment.') },
      codes: ['ASSESSMENT_NOT_FOUND'],
    }),
    async (request) => {
      const record = await readRecord(request.params.assessment_id, request);
      return { status: 'success' as const, data: presentAssessment(record, links) };
    },
  );

  app.get(
    `${ASSESSMENT_PATH}/:assessment_id/report`,
    defineRead('getDamageAssessmentReport', 'JSON report of an assessment', {
      params: Params,
      response: {
        200: describeData(
          Type.Object({ ...DamageAssessmentSchema.properties, ...ReportFields }),
          'The report.',
        ),
      },
      codes: ['ASSESSMENT_NOT_FOUND'],
    }),
    async (request) => {
      const record = await readRecord(request.params.assessment_id, request);
      return { status: 'success' as const, data: presentAssessmentReport(record, links) };
    },
  );

  app.delete(
    `${ASSESSMENT_PATH}/:assessment_id`,
    defineWrite('deleteDamageAssessment', 'Delete a damage assessment with its files (extension)', {
      params: Params,
      response: { 204: defineEmptyResponse('Deleted.') },
      codes: [...BODY_CODES, 'ASSESSMENT_NOT_FOUND'],
    }),
    async (request, reply) => {
      const record = await readRecord(request.params.assessment_id, request);
      await removeInspections(store, { id: record.id });
      return reply.code(204).send(null);
    },
  );
}
