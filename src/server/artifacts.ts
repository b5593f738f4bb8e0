import type { AssessmentEnvelope } from '../contract/assessment/assessment.ts';
import type { InspectionEnvelope, Photo, VisualInspection } from '../contract/inspection.ts';
import type { Box } from '../domain/geometry.ts';
import { REVIEW_SIDE, THUMBNAIL_SIDE } from '../domain/photo.ts';
import { mapQuad } from '../domain/quad.ts';
import { createPhotoStudio, type OpenPhoto } from '../images/draw/photo-studio.ts';
import { loadPhotoRules } from '../images/read/photo-rules.ts';
import { VehiError } from '../lib/errors.ts';
import { describeRedaction, hideReadPlate, listPlateRegions } from '../report/blurred-plates.ts';
import { listMarks } from '../report/finding-rows.ts';
import {
  gatherPictures,
  NO_PICTURES,
  type PictureRequest,
  type PictureSource,
  type ReportPictures,
} from '../report/pictures.ts';
import { createPdfPrinter } from './pdf/printer.ts';
import type { DrawnPhoto, PhotoFile, PhotoViews } from './photo-files.ts';

/** Long side of a finding's close-up in pixels. */
const CLOSE_UP_SIDE = 1600;

/** Converts the error of an unusable photo to an entry that the report lists as missing. */
function toMissing(error: unknown): { readonly missing: string } {
  if (error instanceof VehiError && error.kind === 'input') return { missing: error.message };
  throw error;
}

type OpenFile = (photo: PhotoFile) => Promise<OpenPhoto>;

/** @param redacts blurs the plates that the inspection found */
function makePictureSource(
  { data }: Pick<InspectionEnvelope, 'data'>,
  photos: readonly PhotoFile[],
  open: OpenFile,
  redacts: boolean,
): PictureSource {
  return {
    redaction: redacts ? describeRedaction([data]) : undefined,
    async load(photo: Photo, request: PictureRequest) {
      const file = photos.find((one) => one.index === photo.index);
      if (!file) return { missing: 'the photo was not kept' };
      const opened = await open(file).catch(toMissing);
      if ('missing' in opened) return opened;
      const scale = opened.size.width / photo.width;
      const hidden = redacts
        ? listPlateRegions(photo).map((quad) => mapQuad(quad, ({ x, y }) => ({ x: x * scale, y: y * scale })))
        : [];
      // A view may be smaller than the photo, but regions are in pixels of the photo.
      const crops = request.crops.map(({ region: { x, y, width, height }, maxSide }) => ({
        region: { x: x * scale, y: y * scale, width: width * scale, height: height * scale },
        maxSide,
      }));
      return opened.pictures({ ...request, crops, hidden }).catch(toMissing);
    },
  };
}

/** Drawings requested for the photos of a result. */
type DrawingOptions = {
  /** Lists a photo's close-up regions in pixels of the upright photo; null if no views are stored. */
  readonly listRegions: ((index: number) => readonly Box[]) | null;
  /** True to create the pictures of a report. */
  readonly report: boolean;
};

/**
 * Creates the renderer of annotated photos and PDF reports, from the same modules as the command line.
 * @param redactsByDefault blurs number plates by default
 */
export function createArtifacts(redactsByDefault: boolean) {
  const studio = createPhotoStudio();
  // Views may be smaller than the minimum size of a submitted photo.
  const viewStudio = createPhotoStudio({ ...loadPhotoRules(), minLongSide: 1, minShortSide: 1 });
  const printer = createPdfPrinter();
  const open = ({ index, source }: PhotoFile, keepPixels = false) =>
    studio.open({ ...source, name: `image ${index}` }, keepPixels);
  const openView = ({ index, source }: PhotoFile) => viewStudio.open({ ...source, name: `image ${index}` });
  const makeInput = (inspection: InspectionEnvelope, redacts: boolean) =>
    ({ inspection: redacts ? hideReadPlate(inspection) : inspection, assessment: null }) as const;
  const makeThumbnail = async (photo: OpenPhoto) =>
    (await photo.pictures({ maxSide: THUMBNAIL_SIDE, crops: [] })).photo.jpeg;
  const makeViews = async (photo: OpenPhoto, regions: readonly Box[]): Promise<PhotoViews> => {
    const { photo: view, crops } = await photo.pictures({
      maxSide: REVIEW_SIDE,
      crops: regions.map((region) => ({ region, maxSide: CLOSE_UP_SIDE })),
    });
    return {
      view: view.jpeg,
      thumbnail: await makeThumbnail(photo),
      closeUps: crops.map(({ jpeg }) => jpeg),
    };
  };
  return {
    /**
     * Opens a photo at most once and renders all wanted of it: boxes, views, report pictures; JPEG without EXIF or GPS.
     * @param onDrawn receives the drawings of one photo; called for a few photos concurrently
     * @returns the pictures of the report, empty if none was requested
     */
    async draw(
      inspection: VisualInspection,
      photos: readonly PhotoFile[],
      { listRegions, report }: DrawingOptions,
      onDrawn: (drawn: DrawnPhoto) => Promise<void>,
    ): Promise<ReportPictures> {
      const regionsOf = ({ index }: PhotoFile) =>
        inspection.images
          .filter((image) => redactsByDefault && image.index === index)
          .flatMap((image) => listPlateRegions(image));
      const openAndDraw: OpenFile = async (file) => {
        const marks = listMarks(file, inspection);
        const photo = await open(file, true);
        await onDrawn({
          index: file.index,
          annotated: marks.length > 0 ? await photo.annotate(marks, regionsOf(file)) : undefined,
          views: listRegions && (await makeViews(photo, listRegions(file.index))),
        });
        return photo;
      };
      if (report)
        return gatherPictures(
          { inspection: { data: inspection } },
          makePictureSource({ data: inspection }, photos, openAndDraw, redactsByDefault),
        );
      for (const file of photos)
        if (listRegions !== null || listMarks(file, inspection).length > 0) await openAndDraw(file);
      return NO_PICTURES;
    },
    /** Renders a result's PDF with the pictures that `draw` returned. */
    async renderInspectionPdf(inspection: InspectionEnvelope, pictures: ReportPictures) {
      const generatedAt = new Date(inspection.data.completed_at ?? inspection.data.created_at);
      const input = makeInput(inspection, redactsByDefault);
      return printer.print({ input, pictures, options: { generatedAt } });
    },
    /** Renders a reviewed result from its smaller stored views; without `redact`, by the service's setting. */
    async renderReview(
      format: 'pdf' | 'html',
      inspection: InspectionEnvelope,
      photos: readonly PhotoFile[],
      { generatedAt, redact }: { readonly generatedAt: Date; readonly redact?: boolean },
    ): Promise<Uint8Array | string> {
      const redacts = redact ?? redactsByDefault;
      const input = makeInput(inspection, redacts);
      const source = makePictureSource(inspection, photos, openView, redacts);
      const pictures = await gatherPictures(input, source);
      if (format === 'pdf') return printer.print({ input, pictures, options: { generatedAt } });
      const { renderHtml } = await import('../report/html/html-report.ts');
      return renderHtml(input, pictures, { generatedAt });
    },
    async renderAssessmentPdf(assessment: AssessmentEnvelope) {
      const input = { inspection: null, assessment };
      const generatedAt = new Date(assessment.data.created_at);
      return printer.print({ input, pictures: NO_PICTURES, options: { generatedAt } });
    },
    /** Renders a JPEG thumbnail. @throws VehiError input if the photo cannot be opened */
    renderThumbnail: async (bytes: Uint8Array) =>
      makeThumbnail(await open({ index: 0, source: { kind: 'bytes', bytes, name: '' } })),
    async close() {
      await Promise.all([studio.close(), viewStudio.close(), printer.close()]);
    },
  };
}
