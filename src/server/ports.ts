import type { AssessmentEnvelope } from '../contract/assessment/assessment.ts';
import type { InspectionEnvelope, InspectionMeta, VisualInspection } from '../contract/inspection.ts';
import type { Box } from '../domain/geometry.ts';
import type { PhotoRejection } from '../domain/photo.ts';
import type { Engine } from '../engine/engine.ts';
import type { InspectRequest, PhotoSource } from '../engine/request.ts';
import type { ReportPictures } from '../report/pictures.ts';

/** Checks a photo's header: format and size. Corrupt image data is detected only during analysis. */
export interface PhotoChecker {
  check(bytes: Uint8Array, name: string): Promise<PhotoRejection | undefined>;
}

/** Region, labor rate and currency of a price. */
type PriceTerms = Pick<InspectionMeta, 'region' | 'labor_rate_used' | 'currency' | 'fx' | 'parts_fx'>;

/** Prices damages. */
export interface Assessor {
  /** Region codes accepted in requests. */
  readonly regions: readonly string[];
  /** Currencies accepted in requests. */
  readonly currencies: readonly string[];
  /** @throws VehiError input INVALID_REGION, INVALID_CURRENCY. */
  getTerms(region: string, currency: string | undefined): PriceTerms;
  /** @throws VehiError input, with `field` and every error in `details.errors`, if the request cannot be priced. */
  assess(body: unknown, context: { assessmentId: string; now: Date; requestId: string }): AssessmentEnvelope;
}

/** A photo of an inspection; `index` is its position in `images`. */
export interface PhotoFile {
  readonly index: number;
  readonly source: Exclude<PhotoSource, { kind: 'file' }>;
}

/** Review pictures of a photo. */
export interface PhotoViews {
  readonly view: Uint8Array;
  readonly thumbnail: Uint8Array;
  /** One per region, in the same order. */
  readonly closeUps: readonly Uint8Array[];
}

/** Drawings wanted for the photos of a result. */
interface DrawingOptions {
  /** Lists a photo's close-up regions in pixels of the upright photo; null if no views are stored. */
  readonly listCloseUps: ((index: number) => readonly Box[]) | null;
  /** True to make the pictures of a report. */
  readonly report: boolean;
}

/** Drawings of one photo. */
export interface DrawnPhoto {
  readonly index: number;
  /** JPEG with numbered boxes; undefined if there are no findings. */
  readonly annotated?: Uint8Array | undefined;
  /** Null if no views are stored. */
  readonly views: PhotoViews | { readonly failed: unknown } | null;
}

/** Options of a report. */
interface ReportOptions {
  readonly generatedAt: Date;
  /** True blurs number plates; undefined uses the service's setting, if its models find plates. */
  readonly redact?: boolean;
}

/** Renders the files of a result. */
export interface Artifacts {
  /**
   * Opens each photo once and renders everything from it: boxes, views, report pictures; JPEG without EXIF or GPS.
   * @param onDrawn receives the drawings of one photo; called for a few photos concurrently
   * @returns the pictures of the report, empty if none was requested
   */
  draw(
    inspection: VisualInspection,
    photos: readonly PhotoFile[],
    options: DrawingOptions,
    onDrawn: (drawn: DrawnPhoto) => Promise<void>,
  ): Promise<ReportPictures>;
  /** Renders a result's PDF with the pictures that `draw` returned. */
  renderInspectionPdf(inspection: InspectionEnvelope, pictures: ReportPictures): Promise<Uint8Array>;
  /** Renders a reviewed result from its smaller stored views. @throws VehiError engine NO_PLATE_MODEL */
  renderReview(
    format: 'pdf' | 'html',
    inspection: InspectionEnvelope,
    views: readonly PhotoFile[],
    options: ReportOptions,
  ): Promise<Uint8Array | string>;
  renderAssessmentPdf(assessment: AssessmentEnvelope): Promise<Uint8Array>;
  /** Renders a JPEG thumbnail. @throws VehiError input if the photo cannot be opened */
  renderThumbnail(photo: Uint8Array): Promise<Uint8Array>;
}

/** Functions that open the photos of an inspection. */
export interface PhotoPrograms {
  /** @throws VehiError engine if the models cannot run or `signal` aborts. */
  inspect(request: InspectRequest): Promise<InspectionEnvelope>;
  readonly draw: Artifacts['draw'];
}

/** State of the engine's models; `failed` means that the last load failed. */
export type ModelsState = 'unloaded' | 'loading' | 'ready' | 'failed';

/** Programs behind the API. `engine` may load its models on the first call. */
export interface Programs {
  readonly engine: Pick<Engine, 'inspect' | 'lookAt' | 'viewOf' | 'placeBox' | 'review'>;
  readonly models: ModelsState;
  /** Loads the models unless they are loaded. @throws VehiError engine MODEL_… */
  warmUp(): Promise<void>;
  /** `ai_model_version` of unfinished inspections. */
  readonly modelVersion: string;
  readonly assessor: Assessor;
  readonly photos: PhotoChecker;
  readonly artifacts: Artifacts;
}
