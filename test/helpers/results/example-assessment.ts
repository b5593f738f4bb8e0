import type { AssessmentEnvelope } from '../../../src/contract/assessment/assessment.ts';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { makeRequestFromInspection } from '../../../src/engine/assess/request-from-inspection.ts';
import { assessed } from '../pricing/assessments.ts';

/** The engine's assessment of an inspection's damages, as of a vehicle with `facts`. */
export function exampleAssessment(inspection: InspectionEnvelope, facts: object = {}): AssessmentEnvelope {
  const { vehicle, ...request } = makeRequestFromInspection(inspection);
  return assessed({ ...request, vehicle: { ...(vehicle as object | undefined), ...facts } });
}
