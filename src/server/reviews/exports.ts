import type { VisualInspection } from '../../contract/inspection.ts';
import type { REVIEW_FORMATS, ReviewedEnvelope } from '../../contract/review-answers.ts';
import { makeRequestFromInspection } from '../../engine/assess/request-from-inspection.ts';
import { exportCorrections } from '../../engine/review/corrections-coco.ts';
import { defined } from '../../lib/objects.ts';
import { formatCsv } from '../../report/formats/csv.ts';
import { formatLinesCsv } from '../../report/formats/lines.ts';
import type { InspectionRecord, ReviewRecord } from '../../storage/ports.ts';
import { makeRequestError } from '../http/api-error.ts';
import { nameView, type PhotoFile } from '../photo-files.ts';
import type { Services } from '../services.ts';
import { makeReviewedEnvelope, presentEnvelope } from './present-review.ts';
import { pickShown } from './reviews.ts';

type ReviewFormat = (typeof REVIEW_FORMATS)[number];

export interface ExportOptions {
  readonly format: ReviewFormat;
  /** True blurs number plates; absent uses the service's setting. */
  readonly redact?: boolean;
}

/** Content type and file name of each format. */
export const EXPORT_TYPES: Readonly<Record<ReviewFormat, { readonly type: string; readonly name: string }>> =
  {
    pdf: { type: 'application/pdf', name: 'report.pdf' },
    html: { type: 'text/html; charset=utf-8', name: 'report.html' },
    json: { type: 'application/json; charset=utf-8', name: 'report.json' },
    csv: { type: 'text/csv; charset=utf-8', name: 'report.csv' },
    estimate: { type: 'text/csv; charset=utf-8', name: 'estimate.csv' },
    coco: { type: 'application/json; charset=utf-8', name: 'corrections.coco.json' },
  };

/** Returns the stored views of an inspection's photos. */
async function loadViews(
  { inspection_id: id, images }: VisualInspection,
  { store }: Services,
): Promise<PhotoFile[]> {
  const files = await Promise.all(
    images.map(async ({ index }) => ({ index, bytes: await store.blobs.get(id, nameView(index)) })),
  );
  return files.flatMap(({ index, bytes }) =>
    bytes ? [{ index, source: { kind: 'bytes', bytes, name: nameView(index) } }] : [],
  );
}

/** Prices the damages of a reviewed result as one job, in its own region and currency. */
function estimate(reviewed: ReviewedEnvelope, { backend, clock }: Services) {
  const context = { assessmentId: clock.newId('asmt'), now: clock.now(), requestId: clock.newId('req') };
  return backend.assessor.assess(makeRequestFromInspection(reviewed), context);
}

/**
 * Renders a file of a reviewed result from the stored views.
 * @throws ApiError INVALID_REQUEST if plates must be blurred in photos that were not searched for them
 */
export async function exportReview(
  record: InspectionRecord,
  review: ReviewRecord,
  { format, redact }: ExportOptions,
  services: Services,
): Promise<string | Uint8Array> {
  const reviewed = makeReviewedEnvelope(record, review);
  if (format === 'json')
    return `${JSON.stringify(presentEnvelope(record, reviewed, services.links), null, 2)}\n`;
  if (format === 'coco') return `${JSON.stringify(exportCorrections(reviewed), null, 2)}\n`;
  if (format === 'csv') return formatCsv({ inspection: reviewed, assessment: null }, { failOn: 'none' });
  if (format === 'estimate')
    return formatLinesCsv({ inspection: null, assessment: estimate(reviewed, services) }, { failOn: 'none' });
  if (redact && reviewed.data.images.some(({ plates }) => plates === undefined))
    throw makeRequestError(
      'The photos were inspected without a model that finds number plates, so none can be blurred.',
      'redact',
    );
  const { artifacts } = services.backend;
  const generatedAt = services.clock.now();
  const views = await loadViews(reviewed.data, services);
  const options = { generatedAt, ...defined({ redact }) };
  return artifacts.renderReview(format, pickShown(reviewed), views, options);
}
