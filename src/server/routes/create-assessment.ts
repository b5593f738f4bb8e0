import type { FastifyRequest } from 'fastify';
import { AssessmentEnvelopeSchema } from '../../contract/assessment/assessment.ts';
import { type AssessmentRequest, AssessmentRequestSchema } from '../../contract/assessment/request.ts';
import { type IdempotencyRef, type InspectionRecord, StorageUnavailableError } from '../../storage/ports.ts';
import { measureSince } from '../clock.ts';
import { readCaller } from '../http/auth.ts';
import type { App } from '../http/fastify-types.ts';
import { ASSESSMENT_PATH } from '../links.ts';
import type { Services } from '../services.ts';
import { makeAssessmentEvent, makeMessages } from '../webhooks/events.ts';
import { createOnce } from './creation.ts';
import { findRecord } from './listing.ts';
import { defineOperations, describeResponse, IdempotencyHeaders, LOCATION } from './schemas.ts';

/**
 * Prices the damages and stores the assessment with its report and events.
 * @throws ApiError INSPECTION_NOT_FOUND; VehiError input listing every invalid field.
 */
async function createAssessment(
  request: FastifyRequest,
  body: AssessmentRequest,
  ref: IdempotencyRef | undefined,
  services: Services,
): Promise<InspectionRecord> {
  const { store, clock, settings, backend, links, dispatcher } = services;
  const id = clock.newId('asmt');
  const caller = readCaller(request);
  const now = clock.now();
  const assessment = backend.assessor.assess(body, { assessmentId: id, now, requestId: request.id });
  // Damages are validated first, because their errors lie in this request; a missing inspection may be fixed elsewhere.
  const { inspection_id: inspectionId } = assessment.data;
  if (inspectionId !== undefined) await findRecord('visual', request, services, inspectionId);
  const createdAt = now.toISOString();
  const pdf = await backend.artifacts.renderAssessmentPdf(assessment).catch((error: unknown) => {
    request.log.error({ err: error }, 'report could not be made');
    return undefined;
  });
  const { completedAt, processingTime } = measureSince(createdAt, clock);
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
    document: { ...assessment.data, reports: { pdf_url: pdf ? 'report.pdf' : null, json_url: null } },
    meta: { ...assessment.meta, processing_time: processingTime },
    request: null,
  };
  if (pdf) await store.blobs.put(id, 'report.pdf', pdf);
  try {
    const event = makeAssessmentEvent(record, completedAt, links);
    const messages = await makeMessages(event, record, services);
    await store.inspections.create(record, { messages, ...(ref ? { idempotency: ref } : {}) });
  } catch (error) {
    // If the store became unreachable, the record may have been stored, and then needs this report.
    if (!(error instanceof StorageUnavailableError)) await store.blobs.remove(id);
    throw error;
  }
  dispatcher.wake();
  return record;
}

/** Registers the operation that creates damage assessments. */
export function registerAssessmentCreation(app: App, services: Services): void {
  app.post(
    ASSESSMENT_PATH,
    {
      ...defineOperations('assessments', 'inspections:write').defineWithBody(
        'createDamageAssessment',
        'Create a damage assessment',
        {
          headers: IdempotencyHeaders,
          body: AssessmentRequestSchema,
          response: { 201: describeResponse(AssessmentEnvelopeSchema, 'The assessment.', LOCATION) },
          codes: [
            'INVALID_DAMAGE_DATA',
            'INVALID_REGION',
            'INVALID_CURRENCY',
            'INSPECTION_NOT_FOUND',
            'IDEMPOTENCY_CONFLICT',
          ],
        },
      ),
      // `checkAssessmentRequest` validates the body, because it reports schema and cross-field errors at once.
      validatorCompiler: () => () => true,
    },
    (request, reply) =>
      createOnce(request, reply, 'damage_assessment', services, (ref) =>
        createAssessment(request, request.body, ref, services),
      ),
  );
}
