import type { InspectionResults, Photo } from '../../contract/inspection.ts';
import { computeCoverage, type VehicleCoverage } from '../../domain/judge/vehicle-coverage.ts';
import { findSide } from '../../domain/parts.ts';
import { computeDistanceM, type PartView, toStatus } from '../../domain/sight/part-coverage.ts';
import { listMissingViews, type RequiredView } from '../../domain/sight/walk-around.ts';
import { sumBy } from '../../lib/lists.ts';
import { listNotAssessed } from './not-assessed.ts';

/** What the photos show of one vehicle. */
interface Shown {
  readonly covered: VehicleCoverage;
  readonly missingViews: readonly RequiredView[];
  readonly notAssessed: InspectionResults['not_assessed'];
  readonly dropped: InspectionResults['dropped_detections'];
}

/** Derives from the photos' records what they show of their vehicle. */
export function readShown(photos: readonly Photo[]): Shown {
  const views = photos.flatMap(listViews);
  const covered = computeCoverage(views);
  const missingViews = listMissingViews(
    photos.filter((photo) => photo.analyzed).map((photo) => photo.angle),
    views.flatMap(({ part, reason }) =>
      /^(front_door|rear_door|quarter)/.test(part) && reason !== 'mostly_hidden' ? [findSide(part)] : [],
    ),
  );
  const count = (what: keyof Shown['dropped']) =>
    sumBy(photos, ({ dropped_detections: dropped }) => dropped?.[what] ?? 0);
  return {
    covered,
    missingViews,
    notAssessed: listNotAssessed(photos, missingViews, covered),
    dropped: {
      not_on_vehicle: count('not_on_vehicle'),
      implausible: count('implausible'),
      below_confidence: count('below_confidence'),
    },
  };
}

function listViews({ index, width, height, record }: Photo): PartView[] {
  const cmPerPixel = record?.view_cm_per_pixel ?? 0;
  return (record?.views ?? []).map(({ part, reason }) => ({
    part,
    photo: index,
    status: toStatus(reason),
    reason,
    cmPerPixel,
    distanceM: computeDistanceM({ width, height }, cmPerPixel),
  }));
}
