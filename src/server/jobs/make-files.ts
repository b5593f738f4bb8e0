import type { InspectionEnvelope, VisualInspection } from '../../contract/inspection.ts';
import type { ReportPictures } from '../../report/pictures.ts';
import { isStorageTrouble } from '../http/api-error.ts';
import type { DrawnPhoto, PhotoFile, PhotoPrograms } from '../ports.ts';
import { createViewKeeper } from '../reviews/views.ts';
import type { Services } from '../services.ts';
import { nameOutput } from './visual-job.ts';

/** Draws the photos, each opened once, and stores what was drawn; returns the names of the annotated photos. */
export async function drawPhotos(
  inspection: VisualInspection,
  photos: readonly PhotoFile[],
  report: boolean,
  attempt: number,
  programs: PhotoPrograms,
  services: Services,
): Promise<{ annotated: ReadonlyMap<number, string>; pictures: ReportPictures }> {
  const annotated = new Map<number, string>();
  const views = await createViewKeeper(inspection, services);
  const listCloseUps = views && ((index: number) => views.listCloseUps(index));
  const keep = async ({ index, annotated: jpeg, views: made }: DrawnPhoto) => {
    if (jpeg) {
      const name = nameOutput(`annotated-${index}.jpg`, attempt);
      await services.store.blobs.put(inspection.inspection_id, name, jpeg);
      annotated.set(index, name);
    }
    if (made) await views?.keep(index, made);
  };
  const pictures = await programs.draw(inspection, photos, { listCloseUps, report }, keep);
  return { annotated, pictures };
}

/** Stores the PDF report and returns its name; null where it cannot be made: the inspection is complete without it. */
export async function storeReport(
  envelope: InspectionEnvelope,
  pictures: ReportPictures,
  attempt: number,
  services: Services,
): Promise<string | null> {
  const id = envelope.data.inspection_id;
  try {
    const pdf = await services.programs.artifacts.inspectionPdf(envelope, pictures);
    const name = nameOutput('report.pdf', attempt);
    await services.store.blobs.put(id, name, pdf);
    return name;
  } catch (error) {
    // Made again with the whole analysis when there is room.
    if (isStorageTrouble(error)) throw error;
    services.log.error({ inspection: id, err: error }, 'report could not be made');
    return null;
  }
}
