import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { Damage, InspectionEnvelope, VisualInspection } from '../../contract/inspection.ts';
import { type ClaimFile, mergeFiles } from '../../domain/claim-file.ts';
import { deepFreeze } from '../../lib/deep-freeze.ts';
import { defined } from '../../lib/defined.ts';

/** What becomes of a result after its photos were looked at; what is absent stays as it is. */
export interface Ending {
  /** What the result is filed under, in place of claim and vehicle that it may have. */
  readonly file?: ClaimFile;
  /** Path or name of the annotated photo by the index of the image; photos that are not in it have none. */
  readonly annotated?: ReadonlyMap<number, string>;
  /** Name of the PDF report; null where it could not be made, which becomes a warning. */
  readonly pdf?: string | null;
  /** When all of the work was done, and how many seconds it took. */
  readonly completion?: { readonly completedAt: string; readonly processingTime: number };
}

/** Returns a finished result, frozen, with how it ended: the only way to state that of a result. */
export function endInspection<T extends InspectionEnvelope>(envelope: T, ending: Ending): T {
  const { file, annotated, pdf, completion } = ending;
  const { meta } = envelope;
  let data = envelope.data;
  if (annotated) data = linkAnnotated(data, (index) => annotated.get(index) ?? null);
  if (file) {
    const { claim: _, vehicle: __, ...rest } = data;
    data = { ...rest, ...mergeFiles({}, file) };
  }
  if (pdf !== undefined) data = { ...data, reports: { ...data.reports, pdf_url: pdf } };
  if (pdf === null) data = { ...data, warnings: [...data.warnings, REPORT_UNAVAILABLE] };
  if (!completion) return deepFreeze({ ...envelope, data });
  const { completedAt: completed_at, processingTime: processing_time } = completion;
  return deepFreeze({
    ...envelope,
    data: { ...data, completed_at, processing_time },
    meta: { ...meta, processing_time },
  });
}

/** Returns an assessment filed under claim and vehicle; what they leave out stays as it is. */
export function fileAssessment(
  envelope: AssessmentEnvelope,
  { claim, vehicle }: ClaimFile,
): AssessmentEnvelope {
  const { data } = envelope;
  const known = defined({ claim, vehicle: vehicle && { ...data.vehicle, ...vehicle } });
  return deepFreeze({ ...envelope, data: { ...data, ...known } });
}

const REPORT_UNAVAILABLE = { code: 'REPORT_UNAVAILABLE', message: 'The PDF report could not be made.' };

/**
 * Returns the inspection with the address of its annotated photo on every image and on every find, certain or to check:
 * that of the photo that shows the find best. `findUrl` takes the index of a photo, and gives null where none was drawn.
 */
export function linkAnnotated(
  inspection: VisualInspection,
  findUrl: (imageIndex: number) => string | null,
): VisualInspection {
  const link = <D extends Damage>(finds: readonly D[]) =>
    finds.map((find) => {
      const best = find.evidence[0]?.image_index;
      return { ...find, annotated_url: best === undefined ? null : findUrl(best) };
    });
  const { images, results } = inspection;
  return {
    ...inspection,
    images: images.map((image) => ({ ...image, annotated_url: findUrl(image.index) })),
    // A result that a service stored before places to check were kept has no list of them.
    results: results && {
      ...results,
      damages: link(results.damages),
      to_check: link(results.to_check ?? []),
    },
  };
}
