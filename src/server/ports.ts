import type { AssessmentEnvelope } from '../contract/assessment/assessment.ts';
import type { InspectionEnvelope, InspectionMeta, VisualInspection } from '../contract/inspection.ts';
import type { Box } from '../domain/geometry.ts';
import type { PhotoRejection } from '../domain/photo.ts';
import type { Engine } from '../engine/engine.ts';

/** Looks at a photo's header: format and size. Damage inside the file shows when it is analysed. */
export interface PhotoChecker {
  check(bytes: Uint8Array, name: string): Promise<PhotoRejection | undefined>;
}

/** What prices are worked out by, known before any damage is. */
export type Terms = Pick<InspectionMeta, 'region' | 'labor_rate_used' | 'currency' | 'fx' | 'parts_fx'>;

/** Prices damages. */
export interface Assessor {
  /** Region codes that a request may name. */
  readonly regions: readonly string[];
  /** Currencies that a request may name. */
  readonly currencies: readonly string[];
  /** @throws VehiError input INVALID_REGION, INVALID_CURRENCY. */
  terms(region: string, currency: string | undefined): Terms;
  /** @throws VehiError input, with `field` and every fault in `details.errors`, when the request cannot be priced. */
  assess(body: unknown, context: { assessmentId: string; now: Date; requestId: string }): AssessmentEnvelope;
}

/** A photo of an inspection with its bytes; `index` as in `images`. */
export interface PhotoFile {
  readonly index: number;
  readonly bytes: Uint8Array;
}

/** Pictures that a photo is reviewed by. */
export interface PhotoViews {
  readonly view: Uint8Array;
  readonly thumbnail: Uint8Array;
  /** One per region, in order. */
  readonly closeUps: readonly Uint8Array[];
}

/** How a report is made. */
export interface Making {
  /** Default: when the inspection ended. */
  readonly generatedAt: Date;
  /** Make the number plates that are found unrecognisable. */
  readonly redact?: boolean;
}

/** Makes the files that go with a result. */
export interface Artifacts {
  /** The photos in which damage was found, with numbered boxes, as JPEG. */
  annotate(inspection: VisualInspection, photos: readonly PhotoFile[]): Promise<readonly PhotoFile[]>;
  /**
   * A small picture and a smaller one of a photo, and regions of it in its own pixels, as JPEG without EXIF or GPS.
   * @param regions pixels of the upright photo
   */
  views(photo: PhotoFile, regions: readonly Box[]): Promise<PhotoViews>;
  /** Photos may be smaller than those inspected. @throws VehiError engine NO_PLATE_MODEL */
  inspectionPdf(
    inspection: InspectionEnvelope,
    photos: readonly PhotoFile[],
    making?: Partial<Making>,
  ): Promise<Uint8Array>;
  /** @throws VehiError engine NO_PLATE_MODEL */
  inspectionHtml(
    inspection: InspectionEnvelope,
    photos: readonly PhotoFile[],
    making: Making,
  ): Promise<string>;
  assessmentPdf(assessment: AssessmentEnvelope): Promise<Uint8Array>;
}

/** Whether the engine has its models; `failed` means that the last try to load them did not work. */
export type ModelsState = 'unloaded' | 'loading' | 'ready' | 'failed';

/** The program behind the doors. `engine` may load its models at the first call. */
export interface Programs {
  readonly engine: Pick<Engine, 'inspect' | 'lookAt' | 'viewOf' | 'placeBox' | 'review'>;
  readonly models: ModelsState;
  /** Loads the models unless they are loaded. @throws VehiError engine MODEL_… */
  warmUp(): Promise<void>;
  /** `ai_model_version` of inspections that are not done yet. */
  readonly modelVersion: string;
  readonly assessor: Assessor;
  readonly photos: PhotoChecker;
  readonly artifacts: Artifacts;
}
