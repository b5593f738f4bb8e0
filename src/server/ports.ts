import type { AssessmentEnvelope } from '../contract/assessment/assessment.ts';
import type { InspectionEnvelope, InspectionMeta, VisualInspection } from '../contract/inspection.ts';
import type { Box } from '../domain/geometry.ts';
import type { PhotoRejection } from '../domain/photo.ts';
import type { Engine } from '../engine/engine.ts';
import type { InspectRequest } from '../engine/request.ts';
import type { ReportPictures } from '../report/pictures.ts';

/** Looks at a photo's header: format and size. Damage inside the file shows when it is analysed. */
export interface PhotoChecker {
  check(bytes: Uint8Array, name: string): Promise<PhotoRejection | undefined>;
}

/** What prices are computed by, known before any damage is. */
type Terms = Pick<InspectionMeta, 'region' | 'labor_rate_used' | 'currency' | 'fx' | 'parts_fx'>;

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

/** What is drawn of the photos of a result. */
interface DrawingWanted {
  /**
   * Regions of a photo to show closer when it is reviewed, pixels of the upright photo; null where no views are kept.
   */
  readonly listCloseUps: ((index: number) => readonly Box[]) | null;
  /** Whether a report follows. */
  readonly report: boolean;
}

/** What was drawn of one photo. */
export interface DrawnPhoto {
  readonly index: number;
  /** JPEG with numbered boxes; undefined where nothing was found. */
  readonly annotated?: Uint8Array | undefined;
  /** Null where none are kept. */
  readonly views: PhotoViews | { readonly failed: unknown } | null;
}

/** How a report is made. */
interface Making {
  readonly generatedAt: Date;
  /** Whether number plates are blurred; undefined: as the service is set, where its models find plates. */
  readonly redact?: boolean;
}

/** Makes the files that go with a result. */
export interface Artifacts {
  /**
   * Opens each photo once and makes everything of it: boxes, views, the pictures of a report; JPEG without EXIF or GPS.
   * @param keep takes what was made of one photo, for a few photos at a time
   * @returns the pictures of the report, none where none follows
   */
  draw(
    inspection: VisualInspection,
    photos: readonly PhotoFile[],
    wanted: DrawingWanted,
    keep: (drawn: DrawnPhoto) => Promise<void>,
  ): Promise<ReportPictures>;
  /** The PDF of a result with the pictures that `draw` made. */
  inspectionPdf(inspection: InspectionEnvelope, pictures: ReportPictures): Promise<Uint8Array>;
  /** The PDF of a reviewed result from its kept views, smaller than the photos. @throws VehiError engine NO_PLATE_MODEL */
  reviewPdf(inspection: InspectionEnvelope, views: readonly PhotoFile[], making: Making): Promise<Uint8Array>;
  /** The same as a web page. @throws VehiError engine NO_PLATE_MODEL */
  reviewHtml(inspection: InspectionEnvelope, views: readonly PhotoFile[], making: Making): Promise<string>;
  assessmentPdf(assessment: AssessmentEnvelope): Promise<Uint8Array>;
  /** A photo small, as a JPEG. @throws VehiError input, for one that cannot be opened */
  thumbnail(photo: PhotoFile): Promise<Uint8Array>;
}

/** What opens the photos of an inspection. */
export interface PhotoPrograms {
  /** @throws VehiError kind `engine` when the models cannot run, or `signal` aborts. */
  inspect(request: InspectRequest): Promise<InspectionEnvelope>;
  readonly draw: Artifacts['draw'];
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
