import type { Damage, InspectionEnvelope, InspectionResults, Photo } from '../../contract/inspection.ts';
import type { Coverage } from '../../contract/inspection-grounds.ts';
import type { Decision } from '../../contract/review.ts';
import { computeCoverage } from '../../domain/grading/vehicle-coverage.ts';
import type { PartView } from '../../domain/sight/part-coverage.ts';
import { createGrounds, type Grounds } from '../inspect/grounds.ts';
import { summarizePhotos } from '../inspect/photo-coverage.ts';
import { createResults } from '../inspect/results.ts';
import { gradeVehicles } from '../inspect/vehicle-results.ts';
import type { Pricer } from '../pricer.ts';
import { readRepairEdits } from './repair-edits.ts';
import type { ResolvedFindings } from './resolve.ts';
import { listCheckedPhotos } from './review.ts';

/** Grades and prices the reviewed findings; if there are several vehicles, each separately. */
export function regrade(
  data: InspectionEnvelope['data'] & { readonly results: InspectionResults },
  decisions: readonly Decision[],
  { damages, toCheck, decided }: ResolvedFindings,
  pricer: Pricer,
): InspectionResults {
  const { results, images: photos, vehicle_groups: groups } = data;
  const checked = listCheckedPhotos(decisions);
  const findings = { damages: [...damages.values()], toCheck: [...toCheck] };
  return gradeVehicles(groups, findings, (own, vehicles, group) => {
    const shown = group ? findShown(group.images, data) : results;
    const grounds = updateGrounds(photos, shown.coverage, own.toCheck, checked);
    const isSeen = (view: string) =>
      grounds.coverage.sides.some(({ side, status }) => side === view && status === 'seen');
    return createResults(own.damages, own.toCheck, {
      ...grounds,
      pricer,
      hiddenDamage: results.hidden_damage_risks !== undefined,
      notAssessed: shown.not_assessed.filter(({ what, code }) => code !== 'view_incomplete' || !isSeen(what)),
      dropped: shown.dropped_detections,
      vehicles,
      decided,
      // Edits apply to one vehicle's job; with several vehicles, line ids do not identify the vehicle.
      ...(groups.length === 0 && { edits: readRepairEdits(decisions, pricer.currency) }),
    });
  });
}

/** Returns what the photos of a vehicle show: as found, or recomputed from the photos' records if they were regrouped. */
function findShown(images: readonly number[], { images: photos, results }: InspectionEnvelope['data']) {
  const asFound = results?.vehicles?.find((one) => String(one.images) === String(images));
  if (asFound) return asFound;
  const ofVehicle = photos.filter(({ index }) => images.includes(index));
  const { notAssessed, dropped, ...summary } = summarizePhotos(ofVehicle);
  const { coverage } = createGrounds(summary.coverage, [], photos);
  return { coverage, not_assessed: notAssessed, dropped_detections: dropped };
}

/**
 * Computes the grounds after a review: a part that was too small in its best photo counts as seen if the reviewer marked
 * that photo complete. Parts in no photo stay unseen.
 */
function updateGrounds(
  photos: readonly Photo[],
  coverage: Coverage,
  toCheck: readonly Damage[],
  photosChecked: readonly number[],
): Grounds {
  const views = coverage.parts.flatMap((one): PartView[] => {
    if (one.image_index === null) return [];
    const seenByPerson = one.status === 'too_small' && photosChecked.includes(one.image_index);
    return [
      {
        part: one.part,
        photo: one.image_index,
        status: seenByPerson ? 'seen' : one.status,
        reason: seenByPerson ? null : one.reason,
        cmPerPixel: one.cm_per_pixel ?? 0,
        distanceM: one.distance_m ?? 0,
      },
    ];
  });
  return createGrounds(computeCoverage(views), toCheck, photos);
}
