import type { StandardVerdicts } from '../domain/judge/standard.ts';
import type { AssessmentEnvelope } from './assessment/assessment.ts';
import type { InspectionEnvelope } from './inspection.ts';

/** Where the photos of a result may be found. */
export interface PhotoPlaces {
  /** Folders that the photos' relative addresses may be relative to, best first. */
  readonly folders: readonly string[];
  /** Known absolute paths of photos by their address. */
  readonly paths: Readonly<Record<string, string>>;
  /** The evidence file that the result was read from, which holds them. */
  readonly evidence?: EvidencePlace;
}

/** A checked evidence file, as a later one names it. */
export interface EvidencePlace {
  readonly path: string;
  readonly packed_at: string;
  readonly manifest_sha256: string;
  readonly key: string;
}

export const NO_PLACES: PhotoPlaces = { folders: [], paths: {} };

/** What is known of one vehicle: an inspection, an assessment, or both. At least one is there. */
export interface Result {
  readonly inspection: InspectionEnvelope | null;
  readonly assessment: AssessmentEnvelope | null;
  /** Absent where no photo is looked for. */
  readonly photos?: PhotoPlaces;
  /** What a standard says of the damages; absent where none was asked for. */
  readonly verdicts?: StandardVerdicts;
}

/** A result with its inspection. */
export interface InspectedResult extends Result {
  readonly inspection: InspectionEnvelope;
}
