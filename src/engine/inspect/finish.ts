import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { Damage, InspectionEnvelope, Photo, VisualInspection } from '../../contract/inspection.ts';
import type { VehicleGroup } from '../../contract/inspection-grounds.ts';
import { type ClaimFile, type IdentityFacts, mergeClaimFiles } from '../../domain/vehicle/claim-file.ts';
import { addReadFacts, listReadWarnings, READ_WARNINGS } from '../../domain/vehicle/read-facts.ts';
import { deepFreeze, defined } from '../../lib/objects.ts';

/** Final facts of a result, set once its photos are analyzed; absent fields leave the result unchanged. */
export interface Ending {
  /** Claim and vehicle identity that replace those of the result. */
  readonly file?: ClaimFile;
  /** Path or name of each annotated photo, keyed by image index; photos without an entry have none. */
  readonly annotated?: ReadonlyMap<number, string>;
  /** Name of the PDF report; null if rendering failed, which becomes a warning. */
  readonly pdf?: string | null;
  /** Completion time and total duration in seconds. */
  readonly completion?: { readonly completedAt: string; readonly processingTime: number };
}

/**
 * Adds facts read in the photos to the stated ones, and warns where they differ. Photos of several vehicles add none,
 * because it is unclear whose facts they are.
 */
export function identify(
  stated: IdentityFacts | undefined,
  images: readonly Photo[],
  vehicleGroups: readonly VehicleGroup[],
  inspectedAt: Date,
) {
  const photos = vehicleGroups.length > 0 ? [] : images;
  const vehicle = addReadFacts(photos, stated ?? {}, inspectedAt.getUTCFullYear() + 1);
  return { vehicle, warnings: listReadWarnings(photos, vehicle) };
}

/** Replaces the final facts that are given, and freezes the result. */
export function endInspection<T extends InspectionEnvelope>(envelope: T, ending: Ending): T {
  const { file, annotated, pdf, completion } = ending;
  const { data, meta } = envelope;
  const filed = file ? replaceIdentity(data, file) : data;
  const linked = annotated ? linkAnnotated(filed, (index) => annotated.get(index) ?? null) : filed;
  const warnings = pdf === null ? [...linked.warnings, REPORT_UNAVAILABLE] : linked.warnings;
  const reports = pdf === undefined ? linked.reports : { ...linked.reports, pdf_url: pdf };
  const time = completion && { processing_time: completion.processingTime };
  return deepFreeze({
    ...envelope,
    data: {
      ...linked,
      warnings,
      reports,
      ...time,
      ...(completion && { completed_at: completion.completedAt }),
    },
    meta: { ...meta, ...time },
  });
}

/** Replaces claim and vehicle of a result, and the warnings about facts that differ from those read. */
function replaceIdentity(data: VisualInspection, file: ClaimFile): VisualInspection {
  const { claim: _, vehicle: __, warnings: earlier, ...rest } = data;
  const inspectedAt = new Date(data.created_at);
  const { vehicle, warnings } = identify(file.vehicle, data.images, data.vehicle_groups, inspectedAt);
  const others = earlier.filter(({ code }) => !READ_WARNINGS.includes(code));
  return { ...rest, warnings: [...others, ...warnings], ...mergeClaimFiles({}, { ...file, vehicle }) };
}

/** Files an assessment under a claim, which replaces its own, and adds the vehicle's facts; without either it stays. */
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
 * Sets the annotated-photo URL of every image and every finding, certain or to check; a finding uses its best photo.
 * `findUrl` takes a photo index and returns null if no annotated photo exists.
 */
export function linkAnnotated(
  inspection: VisualInspection,
  findUrl: (imageIndex: number) => string | null,
): VisualInspection {
  const link = (findings: readonly Damage[]) =>
    findings.map((finding) => {
      const best = finding.evidence[0]?.image_index;
      return { ...finding, annotated_url: best === undefined ? null : findUrl(best) };
    });
  const { images, results } = inspection;
  return {
    ...inspection,
    images: images.map((image) => ({ ...image, annotated_url: findUrl(image.index) })),
    results: results && {
      ...results,
      damages: link(results.damages),
      to_check: link(results.to_check),
    },
  };
}
