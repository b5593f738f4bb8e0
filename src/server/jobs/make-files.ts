import type { InspectionMeta, VisualInspection } from '../../contract/inspection.ts';
import { withAnnotatedUrls } from '../../report/annotated-urls.ts';
import type { ReportPictures } from '../../report/pictures.ts';
import { isStorageTrouble } from '../http/api-error.ts';
import type { DrawnPhoto, PhotoFile, PhotoPrograms } from '../ports.ts';
import { createViewKeeper } from '../reviews/views.ts';
import type { Services } from '../services.ts';
import { nameOutput } from './visual-job.ts';

/** A finished analysis: its document and its meta. */
export interface Analysis {
  readonly inspection: VisualInspection;
  readonly meta: InspectionMeta;
}

/** Draws the photos, each opened once, and stores what was drawn; names of annotated photos go into the document. */
export async function withDrawings(
  inspection: VisualInspection,
  photos: readonly PhotoFile[],
  report: boolean,
  attempt: number,
  programs: PhotoPrograms,
  services: Services,
): Promise<{ inspection: VisualInspection; pictures: ReportPictures }> {
  const names = new Map<number, string>();
  const views = await createViewKeeper(inspection, services);
  const listCloseUps = views && ((index: number) => views.listCloseUps(index));
  const keep = async ({ index, annotated, views: made }: DrawnPhoto) => {
    if (annotated) {
      const name = nameOutput(`annotated-${index}.jpg`, attempt);
      await services.store.blobs.put(inspection.inspection_id, name, annotated);
      names.set(index, name);
    }
    if (made) await views?.keep(index, made);
  };
  const pictures = await programs.draw(inspection, photos, { listCloseUps, report }, keep);
  return { inspection: withAnnotatedUrls(inspection, (index) => names.get(index) ?? null), pictures };
}

/** Stores the PDF report; an inspection whose PDF cannot be made is complete without it, and says so. */
export async function withReport(
  result: Analysis,
  pictures: ReportPictures,
  attempt: number,
  services: Services,
): Promise<Analysis> {
  const { inspection, meta } = result;
  try {
    const pdf = await services.programs.artifacts.inspectionPdf(
      { status: 'success', data: inspection, meta },
      pictures,
    );
    const name = nameOutput('report.pdf', attempt);
    await services.store.blobs.put(inspection.inspection_id, name, pdf);
    return { meta, inspection: { ...inspection, reports: { pdf_url: name, json_url: null } } };
  } catch (error) {
    // Made again with the whole analysis when there is room.
    if (isStorageTrouble(error)) throw error;
    services.log.error({ inspection: inspection.inspection_id, err: error }, 'report could not be made');
    const warning = { code: 'REPORT_UNAVAILABLE', message: 'The PDF report could not be made.' };
    return { meta, inspection: { ...inspection, warnings: [...inspection.warnings, warning] } };
  }
}
