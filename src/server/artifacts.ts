import type { Photo } from '../contract/inspection.ts';
import { createPhotoStudio, type OpenPhoto } from '../images/draw/photo-studio.ts';
import { marksOf } from '../report/marks.ts';
import { gatherPictures, type PictureRequest, type PictureSource } from '../report/pictures.ts';
import { redactionNote } from '../report/redaction-note.ts';
import type { PlateFinder } from '../vision/plate-finder.ts';
import { createPdfPrinter } from './pdf/printer.ts';
import type { Artifacts, PhotoFile } from './ports.ts';

/** Long sides of the pictures that a photo is reviewed by, pixels. */
const VIEW_SIDE = 2048;
const THUMBNAIL_SIDE = 320;
const CLOSE_UP_SIDE = 1600;

/** Photos in memory at once while pictures are made of them. */
type Open = (photo: PhotoFile) => Promise<OpenPhoto>;

function pictureSource(photos: readonly PhotoFile[], open: Open, plates: PlateFinder | null): PictureSource {
  return {
    redaction: redactionNote(plates !== null, false),
    async load(photo: Photo, wanted: PictureRequest) {
      const file = photos.find((one) => one.index === photo.index);
      if (!file) return { missing: 'the photo was not kept' };
      const opened = await open(file);
      const scale = opened.size.width / photo.width;
      const hidden = plates === null ? [] : await plates.regionsIn(opened);
      if (scale === 1) return opened.pictures({ ...wanted, hidden });
      // A view of the photo: regions are in pixels of the photo.
      const crops = wanted.crops.map(({ region: { x, y, width, height }, maxSide }) => ({
        region: { x: x * scale, y: y * scale, width: width * scale, height: height * scale },
        maxSide,
      }));
      return opened.pictures({ ...wanted, crops, hidden });
    },
  };
}

/**
 * Annotated photos and PDF reports, made by the rooms that also make the command line's.
 * @param openPlates opens the plate finder when first needed
 */
export function createArtifacts(
  openPlates: () => Promise<PlateFinder>,
): Artifacts & { close(): Promise<void> } {
  const studio = createPhotoStudio();
  const printer = createPdfPrinter();
  let plates: Promise<PlateFinder> | undefined;
  const platesFor = async (redact: boolean | undefined) => {
    if (!redact) return null;
    plates ??= openPlates().catch((error: unknown) => {
      plates = undefined;
      throw error;
    });
    return plates;
  };
  const open: Open = ({ index, bytes }) => studio.open({ kind: 'bytes', bytes, name: `image ${index}` });
  return {
    async annotate(inspection, photos) {
      const made: PhotoFile[] = [];
      for (const file of photos) {
        const marks = marksOf(file, inspection);
        if (marks.length === 0) continue;
        made.push({ index: file.index, bytes: await (await open(file)).annotate(marks) });
      }
      return made;
    },
    async views(photo, regions) {
      const { photo: view, crops } = await (await open(photo)).pictures({
        maxSide: VIEW_SIDE,
        crops: regions.map((region) => ({ region, maxSide: CLOSE_UP_SIDE })),
      });
      const small = await open({ index: photo.index, bytes: view.jpeg });
      const { photo: thumbnail } = await small.pictures({ maxSide: THUMBNAIL_SIDE, crops: [] });
      return { view: view.jpeg, thumbnail: thumbnail.jpeg, closeUps: crops.map(({ jpeg }) => jpeg) };
    },
    async inspectionHtml(inspection, photos, { generatedAt, redact }) {
      const { renderHtml } = await import('../report/html/document.ts');
      const input = { inspection, assessment: null };
      const source = pictureSource(photos, open, await platesFor(redact));
      return renderHtml(input, await gatherPictures(input, source), { generatedAt });
    },
    async inspectionPdf(inspection, photos, { generatedAt: at, redact } = {}) {
      const input = { inspection, assessment: null };
      const source = pictureSource(photos, open, await platesFor(redact));
      const pictures = await gatherPictures(input, source);
      const generatedAt = at ?? new Date(inspection.data.completed_at ?? inspection.data.created_at);
      return printer.print({ input, pictures, options: { generatedAt } });
    },
    async assessmentPdf(assessment) {
      const input = { inspection: null, assessment };
      const pictures = await gatherPictures(input, pictureSource([], open, null));
      const generatedAt = new Date(assessment.data.created_at);
      return printer.print({ input, pictures, options: { generatedAt } });
    },
    async close() {
      const finder = await plates?.catch(() => undefined);
      await Promise.all([studio.close(), printer.close(), finder?.close()]);
    },
  };
}
