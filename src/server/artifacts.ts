import type { Photo } from '../contract/inspection.ts';
import { createPhotoStudio, type OpenPhoto } from '../images/draw/photo-studio.ts';
import { marksOf } from '../report/marks.ts';
import { gatherPictures, type PictureRequest, type PictureSource } from '../report/pictures.ts';
import { createPdfPrinter } from './pdf/printer.ts';
import type { Artifacts, PhotoFile } from './ports.ts';

/** Long sides of the pictures that a photo is reviewed by, pixels. */
const VIEW_SIDE = 2048;
const THUMBNAIL_SIDE = 320;

/** Photos in memory at once while pictures are made of them. */
type Open = (photo: PhotoFile) => Promise<OpenPhoto>;

function pictureSource(photos: readonly PhotoFile[], open: Open): PictureSource {
  return {
    async load(photo: Photo, wanted: PictureRequest) {
      const file = photos.find((one) => one.index === photo.index);
      if (!file) return { missing: 'the photo was not kept' };
      const opened = await open(file);
      const scale = opened.size.width / photo.width;
      if (scale === 1) return opened.pictures(wanted);
      // A view of the photo: regions are in pixels of the photo.
      const crops = wanted.crops.map(({ region: { x, y, width, height }, maxSide }) => ({
        region: { x: x * scale, y: y * scale, width: width * scale, height: height * scale },
        maxSide,
      }));
      return opened.pictures({ ...wanted, crops });
    },
  };
}

/** Annotated photos and PDF reports, made by the rooms that also make the command line's. */
export function createArtifacts(): Artifacts & { close(): Promise<void> } {
  const studio = createPhotoStudio();
  const printer = createPdfPrinter();
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
    async views(photo) {
      const { photo: view } = await (await open(photo)).pictures({ maxSide: VIEW_SIDE, crops: [] });
      const small = await open({ index: photo.index, bytes: view.jpeg });
      const { photo: thumbnail } = await small.pictures({ maxSide: THUMBNAIL_SIDE, crops: [] });
      return { view: view.jpeg, thumbnail: thumbnail.jpeg };
    },
    async inspectionHtml(inspection, photos, generatedAt) {
      const { renderHtml } = await import('../report/html/document.ts');
      const input = { inspection, assessment: null };
      return renderHtml(input, await gatherPictures(input, pictureSource(photos, open)), { generatedAt });
    },
    async inspectionPdf(inspection, photos, at) {
      const input = { inspection, assessment: null };
      const pictures = await gatherPictures(input, pictureSource(photos, open));
      const generatedAt = at ?? new Date(inspection.data.completed_at ?? inspection.data.created_at);
      return printer.print({ input, pictures, options: { generatedAt } });
    },
    async assessmentPdf(assessment) {
      const input = { inspection: null, assessment };
      const pictures = await gatherPictures(input, pictureSource([], open));
      const generatedAt = new Date(assessment.data.created_at);
      return printer.print({ input, pictures, options: { generatedAt } });
    },
    async close() {
      await Promise.all([studio.close(), printer.close()]);
    },
  };
}
