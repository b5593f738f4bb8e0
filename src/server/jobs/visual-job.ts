import { type ErrorCode, isErrorCode } from '../../contract/errors.ts';
import type { VisualInspection } from '../../contract/inspection.ts';
import type { VisualRequest } from '../../contract/requests.ts';
import type { InspectionRecord } from '../../storage/ports.ts';
import type { UnusablePhoto } from '../photos/collect.ts';
import type { ServerSettings } from '../server-settings.ts';

/** Input of a visual inspection, stored so that the job survives a restart. */
export interface VisualJob {
  readonly images: VisualRequest['images'];
  readonly options: NonNullable<VisualRequest['options']>;
  /** Photos rejected on receipt. */
  readonly unusable: readonly UnusablePhoto[];
  /** Settings of the service that accepted the request; the process that runs the job may have others. */
  readonly settings: Pick<
    ServerSettings,
    'region' | 'currency' | 'minConfidence' | 'keepPhotos' | 'keepViewsDays'
  >;
  readonly requestId: string;
  /**
   * Time until which the creation may still refuse the request because of an analysis error, epoch ms; 0 if it does not
   * wait for the analysis.
   */
  readonly refusableUntilMs: number;
  readonly simulate: { readonly outcome?: 'processing' | 'failed' };
}

/** Reason for a failed analysis, as stored in `meta`. */
interface JobFailure {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly details?: Record<string, unknown>;
}

/** Returns the reason for a failed analysis; undefined if it did not fail. */
export const readFailure = ({ meta }: { readonly meta: unknown }) =>
  (meta as { readonly failure?: JobFailure }).failure;

/** Returns the error with which a creation refuses its request after the decoder rejected a photo; undefined otherwise. */
export function findRefusal(
  record: Pick<InspectionRecord, 'status' | 'meta'>,
): (JobFailure & { readonly code: ErrorCode; readonly field: string }) | undefined {
  const failure = readFailure(record);
  if (record.status !== 'failed' || failure?.field === undefined || !isErrorCode(failure.code))
    return undefined;
  return { ...failure, code: failure.code, field: failure.field };
}

const OUTPUT_PATTERN = /^(?:annotated-\d+|report)(?:-try(\d+))?\.(?:jpg|pdf)$/;

/**
 * Returns the file name of an attempt's output: `report.pdf` for the first attempt, `report-try2.pdf` for the second,
 * so outputs of two attempts never mix.
 */
export function nameOutput(name: string, attempt: number): string {
  return attempt === 1 ? name : name.replace(/(?=\.[a-z]+$)/, `-try${attempt}`);
}

/** Returns the attempt that wrote a file, or undefined if the file is no attempt's output. */
export function parseAttempt(fileName: string): number | undefined {
  const match = OUTPUT_PATTERN.exec(fileName);
  return match ? Number(match[1] ?? 1) : undefined;
}

/** Returns the document of a processing or failed inspection. */
export function makeEmptyInspection(
  { id, vehicleId, createdAt }: Pick<InspectionRecord, 'id' | 'vehicleId' | 'createdAt'>,
  failure?: { completedAt: string; processingTime: number; code: string; message: string },
): VisualInspection {
  return {
    inspection_id: id,
    vehicle_id: vehicleId,
    status: failure ? 'failed' : 'processing',
    created_at: createdAt,
    completed_at: failure?.completedAt ?? null,
    processing_time: failure?.processingTime ?? 0,
    results: null,
    reports: { pdf_url: null, json_url: null },
    images: [],
    rejected_images: [],
    missing_views: [],
    warnings: [],
    vehicle_groups: [],
    settings: { sensitivity: 'default', min_confidence: null },
    models: [],
    region: null,
    partial: false,
    ...(failure ? { failure: { code: failure.code, message: failure.message } } : {}),
  };
}
