import type { VisualInspection } from '../../contract/inspection.ts';
import type { VisualRequest } from '../../contract/requests.ts';
import type { UnusablePhoto } from '../photos/collect.ts';

/** What a visual inspection needs to be done, and done again after a restart. */
export interface VisualJob {
  readonly images: VisualRequest['images'];
  readonly options: NonNullable<VisualRequest['options']>;
  /** Photos that were left out when they were received; absent in work stored before there were such. */
  readonly unusable?: readonly UnusablePhoto[];
  readonly requestId: string;
  readonly simulate: { readonly outcome?: 'processing' | 'failed'; readonly webhook?: string };
}

/** Returns the name of the stored photo with this index. */
export const namePhoto = (index: number) => `photo-${index}`;

/** Returns whether a file name is that of a stored photo. */
export const isPhoto = (fileName: string) => /^photo-\d+$/.test(fileName);

const OUTPUT = /^(?:annotated-\d+|report)(?:-try(\d+))?\.(?:jpg|pdf)$/;

/**
 * Returns the name of a file that an attempt makes: `report.pdf`, of later ones `report-try2.pdf`, so that two never
 * mix.
 */
export function nameOutput(name: string, attempt: number): string {
  return attempt === 1 ? name : name.replace(/(?=\.[a-z]+$)/, `-try${attempt}`);
}

/** Returns the attempt that made a file; undefined for one that none makes. */
export function readAttempt(fileName: string): number | undefined {
  const match = OUTPUT.exec(fileName);
  return match ? Number(match[1] ?? 1) : undefined;
}

/** Returns the document of an inspection that is not done yet, or has failed. */
export function makeEmptyInspection(
  id: string,
  vehicleId: string,
  createdAt: string,
  failed?: { completedAt: string; processingTime: number; code: string; message: string },
): VisualInspection {
  return {
    inspection_id: id,
    vehicle_id: vehicleId,
    status: failed ? 'failed' : 'processing',
    created_at: createdAt,
    completed_at: failed?.completedAt ?? null,
    processing_time: failed?.processingTime ?? 0,
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
    ...(failed ? { failure: { code: failed.code, message: failed.message } } : {}),
  };
}
