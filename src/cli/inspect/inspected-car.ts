import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { PhotoInput } from '../../engine/request.ts';
import type { ReportSource } from '../outputs/report-pictures.ts';

/** An inspected vehicle, with its assessment where one was asked for. */
export interface InspectedCar {
  readonly inspection: InspectionEnvelope;
  readonly assessment: AssessmentEnvelope | null;
  readonly photos: readonly PhotoInput[];
}

/**
 * Returns the source of a report on the vehicle.
 * @param cwd folder that the photos' relative addresses are relative to
 */
export function toReportSource({ inspection, assessment, photos }: InspectedCar, cwd: string): ReportSource {
  const paths = photos.flatMap(({ url, source }) =>
    source.kind === 'file' ? [[url, source.path] as const] : [],
  );
  return { inspection, assessment, folders: [cwd], photoPaths: Object.fromEntries(paths) };
}
