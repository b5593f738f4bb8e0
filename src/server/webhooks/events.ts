import type { DamageAssessment } from '../../contract/assessment/assessment.ts';
import type { InspectionResults, VisualInspection } from '../../contract/inspection.ts';
import type { AssessmentEvent, VisualEvent } from '../../contract/webhooks.ts';
import type { Environment, WebhookEvent } from '../../domain/account.ts';
import type { InspectionRecord, NewWebhookMessage, Store } from '../../storage/ports.ts';
import type { ServerClock } from '../clock.ts';
import type { Links } from '../links.ts';
import { VISUAL_PATH } from '../present-record.ts';

/** Builds the event `visual_inspection.completed` or `.failed` from an inspection with links. */
export function makeVisualEvent(inspection: VisualInspection, at: string): VisualEvent {
  return {
    event: inspection.status === 'failed' ? 'visual_inspection.failed' : 'visual_inspection.completed',
    timestamp: at,
    data: {
      inspection_id: inspection.inspection_id,
      vehicle_id: inspection.vehicle_id,
      status: inspection.status,
      damages_detected: inspection.results?.damage_summary.total_damages ?? 0,
      overall_condition: inspection.results?.overall_condition ?? null,
      condition_score: inspection.results?.condition_score ?? null,
      report_url: inspection.reports.pdf_url ?? inspection.reports.json_url ?? '',
    },
  };
}

/** Builds the event `visual_inspection.reviewed` with the reviewed results and a link to the review. */
function makeReviewedEvent(
  { id, vehicleId, status }: InspectionRecord,
  results: InspectionResults,
  at: string,
  links: Links,
): VisualEvent {
  return {
    event: 'visual_inspection.reviewed',
    timestamp: at,
    data: {
      inspection_id: id,
      vehicle_id: vehicleId,
      status,
      damages_detected: results.damage_summary.total_damages,
      overall_condition: results.overall_condition,
      condition_score: results.condition_score,
      report_url: links.makeOperationUrl(`${VISUAL_PATH}/${id}/review`),
    },
  };
}

/** Builds the event `damage_assessment.completed` from an assessment with links. */
export function makeAssessmentEvent(assessment: DamageAssessment, at: string): AssessmentEvent {
  const { summary } = assessment;
  return {
    event: 'damage_assessment.completed',
    timestamp: at,
    data: {
      assessment_id: assessment.assessment_id,
      vehicle_id: assessment.vehicle_id,
      damages_assessed: summary.total_damages_assessed,
      overall_severity: summary.overall_severity,
      estimated_repair_cost: summary.repair_cost_summary.recommended_repairs_total.estimated,
      value_reduction_percentage: summary.total_value_reduction_percentage,
      report_url: assessment.reports.pdf_url ?? assessment.reports.json_url ?? '',
    },
  };
}

/** Builds the messages of a finished review, one per subscribed endpoint. */
export function makeReviewedMessages(
  record: InspectionRecord,
  results: InspectionResults,
  at: string,
  { store, clock, links }: { store: Store; clock: ServerClock; links: Links },
): Promise<NewWebhookMessage[]> {
  const { accountId, environment, id: resourceId } = record;
  const target = { store, clock, accountId, environment, resourceId };
  return makeMessages(makeReviewedEvent(record, results, at, links), target);
}

/** Builds one message per enabled endpoint of the account that subscribes to the event. */
export async function makeMessages(
  event: { readonly event: WebhookEvent },
  target: {
    store: Store;
    clock: ServerClock;
    accountId: string;
    environment: Environment;
    resourceId: string;
    simulate?: string | undefined;
    /** Time before which no message is sent, epoch ms; absent: at once. */
    notBeforeMs?: number;
  },
): Promise<NewWebhookMessage[]> {
  const endpoints = await target.store.webhooks.listEndpoints(target.accountId, target.environment);
  return endpoints
    .filter((endpoint) => endpoint.status === 'enabled' && endpoint.events.includes(event.event))
    .map((endpoint) => ({
      id: target.clock.newId('msg'),
      endpointId: endpoint.id,
      resourceId: target.resourceId,
      event: event.event,
      payload: JSON.stringify(event),
      createdAt: target.clock.now().toISOString(),
      // Always due: a message created under a wrong clock must not wait for that time.
      nextAttemptAtMs: target.notBeforeMs ?? 0,
      simulate: target.simulate ?? null,
    }));
}
