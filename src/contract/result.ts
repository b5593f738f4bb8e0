import type { AssessmentEnvelope } from './assessment/assessment.ts';
import type { InspectionEnvelope } from './inspection.ts';

/** Search locations for the photos of a result. */
export interface PhotoPlaces {
  /** Base folders for the photos' relative addresses, in order of preference. */
  readonly folders: readonly string[];
  /** Known absolute photo paths, keyed by address. */
  readonly paths: Readonly<Record<string, string>>;
  /** Path of the evidence file that contains the photos, if the result was read from one. */
  readonly evidence?: string;
}

export const NO_PLACES: PhotoPlaces = { folders: [], paths: {} };

/** An inspection, an assessment, or both of one vehicle; at least one is present. */
export interface Result {
  readonly inspection: InspectionEnvelope | null;
  readonly assessment: AssessmentEnvelope | null;
  /** Absent if no photos are needed. */
  readonly photos?: PhotoPlaces;
}

/** A result with its inspection. */
export type InspectedResult = Result & { readonly inspection: InspectionEnvelope };
