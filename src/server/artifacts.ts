import type { Photo } from '../contract/inspection.ts';
import { createPhotoStudio, type OpenPhoto } from '../images/draw/photo-studio.ts';
import { marksOf } from '../report/marks.ts';
import { gatherPictures, type PictureRequest, type PictureSource } from '../report/pictures.ts';
import { createPdfPrinter } from './pdf/printer.ts';
import type { Artifacts, PhotoFile } from './ports.ts';

/** Photos in memory at once while pictures are made of them. */
type Open = (photo: PhotoFile) => Promise<OpenPhoto>;

function pictureSource(photos: readonly PhotoFile[], open: Open): PictureSource {
  return {
    async load({ index }: Photo, wanted: PictureRequest) {
      const file = photos.find((photo) => photo.index === index);
      if (!file) return { missing: 'the photo was not kept' };
      return (await open(file)).pictures(wanted);
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
    async inspectionPdf(inspection, photos) {
      const input = { inspection, assessment: null };
      const pictures = await gatherPictures(input, pictureSource(photos, open));
      const generatedAt = new Date(inspection.data.completed_at ?? inspection.data.created_at);
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
