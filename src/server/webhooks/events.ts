import type { InspectionResults } from '../../contract/inspection.ts';
import type { AssessmentEvent, VisualEvent } from '../../contract/webhooks.ts';
import type { WebhookEvent } from '../../domain/account.ts';
import type { InspectionRecord, NewWebhookMessage, Store } from '../../storage/ports.ts';
import type { ServerClock } from '../clock.ts';
import { type Links, VISUAL_PATH } from '../links.ts';
import { makeReportUrl, presentAssessment, presentVisual } from '../present-record.ts';

/**
 * Builds the event for an inspection that has ended, or whose review has ended.
 * @param reviewed the results of the finished review
 */
export function makeVisualEvent(
  record: InspectionRecord,
  at: string,
  links: Links,
  reviewed?: InspectionResults,
): VisualEvent {
  const { status, results: found, reports } = presentVisual(record, links);
  const results = reviewed ?? found;
  const end = reviewed ? 'reviewed' : status === 'failed' ? 'failed' : 'completed';
  const reviewUrl = links.makeOperationUrl(`${VISUAL_PATH}/${record.id}/review`);
  return {
    event: `visual_inspection.${end}`,
    timestamp: at,
    data: {
      inspection_id: record.id,
      vehicle_id: record.vehicleId,
      status,
      damages_detected: results?.damage_summary.total_damages ?? 0,
      overall_condition: results?.overall_condition ?? null,
      condition_score: results?.condition_score ?? null,
      report_url: reviewed ? reviewUrl : (reports.pdf_url ?? makeReportUrl(record, links)),
    },
  };
}

/** Builds the event `damage_assessment.completed` of a stored assessment. */
export function makeAssessmentEvent(record: InspectionRecord, at: string, links: Links): AssessmentEvent {
  const { assessment_id, vehicle_id, summary, reports } = presentAssessment(record, links);
  return {
    event: 'damage_assessment.completed',
    timestamp: at,
    data: {
      assessment_id,
      vehicle_id,
      damages_assessed: summary.total_damages_assessed,
      overall_severity: summary.overall_severity,
      estimated_repair_cost: summary.repair_cost_summary.recommended_repairs_total.estimated,
      value_reduction_percentage: summary.total_value_reduction_percentage,
      report_url: reports.pdf_url ?? makeReportUrl(record, links),
    },
  };
}

/**
 * Builds one message per enabled endpoint of the record's account that subscribes to the event.
 * @param notBeforeMs time before which no message is sent, epoch ms; absent: at once
 */
export async function makeMessages(
  event: { readonly event: WebhookEvent },
  record: Pick<InspectionRecord, 'id' | 'accountId' | 'environment'>,
  { store, clock }: { store: Store; clock: ServerClock },
  notBeforeMs = 0,
): Promise<NewWebhookMessage[]> {
  const endpoints = await store.webhooks.listEndpoints(record.accountId, record.environment);
  return endpoints
    .filter((endpoint) => endpoint.status === 'enabled' && endpoint.events.includes(event.event))
    .map((endpoint) => ({
      id: clock.newId('msg'),
      endpointId: endpoint.id,
      resourceId: record.id,
      event: event.event,
      payload: JSON.stringify(event),
      createdAt: clock.now().toISOString(),
      // Not the creation time: under a clock that is ahead, the message would wait for it.
      nextAttemptAtMs: notBeforeMs,
    }));
}
