import type { Photo } from '../contract/inspection.ts';
import type { Box } from '../domain/geometry.ts';
import { REVIEW_SIDE, THUMBNAIL_SIDE } from '../domain/photo.ts';
import { createPhotoStudio, type OpenPhoto } from '../images/draw/photo-studio.ts';
import { loadPhotoRules } from '../images/read/photo-rules.ts';
import { VehiError } from '../lib/errors.ts';
import { listMarks } from '../report/marks.ts';
import { gatherPictures, NO_PICTURES, type PictureRequest, type PictureSource } from '../report/pictures.ts';
import { describeRedaction } from '../report/redaction-note.ts';
import type { PlateFinder } from '../vision/plate-finder.ts';
import { createPdfPrinter } from './pdf/printer.ts';
import type { Artifacts, PhotoFile, PhotoViews } from './ports.ts';

/** Long side of a finding's close-up in pixels. */
const CLOSE_UP_SIDE = 1600;

/** Converts a photo error to an entry that the report lists as missing. */
function toMissing(error: unknown): { readonly missing: string } {
  if (error instanceof VehiError) return { missing: error.message };
  throw error;
}

/** Views are optional, so the caller only logs the failure. */
const toFailed = (failed: unknown) => ({ failed });

type OpenFile = (photo: PhotoFile) => Promise<OpenPhoto>;

function makePictureSource(
  photos: readonly PhotoFile[],
  open: OpenFile,
  plateFinder: Pick<PlateFinder, 'findRegions'> | null,
): PictureSource {
  return {
    redaction: describeRedaction(plateFinder !== null),
    async load(photo: Photo, request: PictureRequest) {
      const file = photos.find((one) => one.index === photo.index);
      if (!file) return { missing: 'the photo was not kept' };
      const opened = await open(file);
      const scale = opened.size.width / photo.width;
      const hidden = plateFinder === null ? [] : await plateFinder.findRegions(opened);
      if (scale === 1) return opened.pictures({ ...request, hidden }).catch(toMissing);
      // The picture is a smaller view, but regions are in pixels of the photo.
      const crops = request.crops.map(({ region: { x, y, width, height }, maxSide }) => ({
        region: { x: x * scale, y: y * scale, width: width * scale, height: height * scale },
        maxSide,
      }));
      return opened.pictures({ ...request, crops, hidden }).catch(toMissing);
    },
  };
}

/**
 * Creates the renderer of annotated photos and PDF reports; the command line uses the same modules.
 * @param openPlateFinder opens the plate finder on first use
 * @param redactsByDefault blurs number plates by default
 */
export function createArtifacts(
  openPlateFinder: () => Promise<PlateFinder>,
  redactsByDefault: boolean,
): Artifacts & { close(): Promise<void> } {
  const studio = createPhotoStudio();
  // Views may be smaller than the minimum size of a submitted photo.
  const viewStudio = createPhotoStudio({ ...loadPhotoRules(), minLongSide: 1, minShortSide: 1 });
  const printer = createPdfPrinter();
  let plateFinder: Promise<PlateFinder> | undefined;
  const getPlateFinder = async (redact: boolean | undefined) => {
    if (!(redact ?? redactsByDefault)) return null;
    plateFinder ??= openPlateFinder().catch((error: unknown) => {
      plateFinder = undefined;
      throw error;
    });
    // Custom models may lack a plate finder, which is an error only if blurring was requested explicitly.
    return plateFinder.catch((error: unknown) => {
      if (redact || !(error instanceof VehiError && error.code === 'NO_PLATE_MODEL')) throw error;
      return null;
    });
  };
  const open = ({ index, bytes }: PhotoFile, keepPixels = false) =>
    studio.open({ kind: 'bytes', bytes, name: `image ${index}` }, keepPixels);
  const openView = ({ index, bytes }: PhotoFile) =>
    viewStudio.open({ kind: 'bytes', bytes, name: `image ${index}` });
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
    async draw(inspection, photos, { listCloseUps, report }, onDrawn) {
      const finder = await getPlateFinder(undefined);
      const regionsByPhoto = new Map<OpenPhoto, Promise<readonly Box[]>>();
      const findRegions = (photo: OpenPhoto) => {
        const regions = regionsByPhoto.get(photo) ?? finder?.findRegions(photo) ?? Promise.resolve([]);
        regionsByPhoto.set(photo, regions);
        return regions;
      };
      const openAndDraw: OpenFile = async (file) => {
        const marks = listMarks(file, inspection);
        const photo = await open(file, true);
        await onDrawn({
          index: file.index,
          annotated: marks.length > 0 ? await photo.annotate(marks, await findRegions(photo)) : undefined,
          views: listCloseUps && (await makeViews(photo, listCloseUps(file.index)).catch(toFailed)),
        });
        return photo;
      };
      if (report)
        return gatherPictures(
          { inspection: { data: inspection } },
          makePictureSource(photos, openAndDraw, finder && { findRegions }),
        );
      for (const file of photos)
        if (listCloseUps !== null || listMarks(file, inspection).length > 0) await openAndDraw(file);
      return NO_PICTURES;
    },
    async renderInspectionPdf(inspection, pictures) {
      const generatedAt = new Date(inspection.data.completed_at ?? inspection.data.created_at);
      return printer.print({ input: { inspection, assessment: null }, pictures, options: { generatedAt } });
    },
    async renderReview(format, inspection, photos, { generatedAt, redact }) {
      const input = { inspection, assessment: null };
      const source = makePictureSource(photos, openView, await getPlateFinder(redact));
      const pictures = await gatherPictures(input, source);
      if (format === 'pdf') return printer.print({ input, pictures, options: { generatedAt } });
      const { renderHtml } = await import('../report/html/html-report.ts');
      return renderHtml(input, pictures, { generatedAt });
    },
    async renderAssessmentPdf(assessment) {
      const input = { inspection: null, assessment };
      const pictures = await gatherPictures(input, makePictureSource([], open, null));
      const generatedAt = new Date(assessment.data.created_at);
      return printer.print({ input, pictures, options: { generatedAt } });
    },
    renderThumbnail: async (file) => makeThumbnail(await open(file)),
    async close() {
      const finder = await plateFinder?.catch(() => undefined);
      await Promise.all([studio.close(), viewStudio.close(), printer.close(), finder?.close()]);
    },
  };
}
