import type { DamageAssessment } from '../contract/assessment/assessment.ts';
import type { VisualInspection } from '../contract/inspection.ts';
import { linkAnnotated } from '../engine/inspect/finish.ts';
import { listRules, makeReportId } from '../report/json.ts';
import type { InspectionRecord } from '../storage/ports.ts';
import { KIND_PATHS, type Links } from './links.ts';

/** Converts a stored file name to a signed link; links expire, so they are created on every read. */
function linkFile(links: Pick<Links, 'makeFileUrl'>, owner: string, name: string | null): string | null {
  return name === null ? null : links.makeFileUrl(owner, name);
}

/** Replaces the photo name of a damage by a signed link. */
export function linkDamage<D extends { readonly annotated_url: string | null }>(
  damage: D,
  owner: string,
  links: Pick<Links, 'makeFileUrl'>,
): D {
  return { ...damage, annotated_url: linkFile(links, owner, damage.annotated_url) };
}

/** Returns the URL of a record's JSON report. */
export const makeReportUrl = ({ id, kind }: Pick<InspectionRecord, 'id' | 'kind'>, links: Links): string =>
  links.makeOperationUrl(`${KIND_PATHS[kind]}/${id}/report`);

/** Converts a visual inspection to its wire format. */
export function presentVisual(record: InspectionRecord, links: Links): VisualInspection {
  const stored = record.document as VisualInspection;
  const link = (name: string | null) => linkFile(links, record.id, name);
  const annotatedNames = new Map(stored.images.map((image) => [image.index, image.annotated_url]));
  return {
    ...linkAnnotated(stored, (index) => link(annotatedNames.get(index) ?? null)),
    ...(record.reviewedAt ? { reviewed_at: record.reviewedAt } : {}),
    reports: { pdf_url: link(stored.reports.pdf_url), json_url: makeReportUrl(record, links) },
  };
}

/** Converts a damage assessment to its wire format. */
export function presentAssessment(record: InspectionRecord, links: Links): DamageAssessment {
  const stored = record.document as DamageAssessment;
  const pdf = linkFile(links, record.id, stored.reports.pdf_url);
  return { ...stored, reports: { pdf_url: pdf, json_url: makeReportUrl(record, links) } };
}

/** Converts a record of either kind to its wire format. */
export const presentRecord = (record: InspectionRecord, links: Links) =>
  record.kind === 'visual' ? presentVisual(record, links) : presentAssessment(record, links);

/** Builds the JSON report of a record: its wire format, with every rule that fired. */
export function presentReport(record: InspectionRecord, links: Links) {
  const data = presentRecord(record, links);
  return {
    ...data,
    report_id: makeReportId(record.id),
    generated_at: record.completedAt ?? record.createdAt,
    rules_fired: listRules(data),
  };
}
