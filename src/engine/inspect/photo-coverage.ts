import type { Photo } from '../../contract/inspection.ts';
import { computeCoverage } from '../../domain/grading/vehicle-coverage.ts';
import { findSide } from '../../domain/parts.ts';
import { computeDistanceM, type PartView, toStatus } from '../../domain/sight/part-coverage.ts';
import { listMissingViews } from '../../domain/sight/walk-around.ts';
import { sumBy } from '../../lib/lists.ts';
import { listNotAssessed } from './not-assessed.ts';

/** Parts that show their side by themselves; a fender or a lamp is also visible from the front or rear. */
const FLANK_PARTS = /^(front_door|rear_door|quarter_panel)_/;

/** Derives from the photos' records which parts and views of their vehicle they show, and what they leave open. */
export function summarizePhotos(photos: readonly Photo[]) {
  const views = photos.flatMap(listViews);
  const coverage = computeCoverage(views);
  const missingViews = listMissingViews(
    photos.filter((photo) => photo.analyzed).map((photo) => photo.angle),
    views.flatMap(({ part, reason }) =>
      FLANK_PARTS.test(part) && reason !== 'mostly_hidden' ? [findSide(part)] : [],
    ),
  );
  const count = (what: keyof NonNullable<Photo['dropped_detections']>) =>
    sumBy(photos, ({ dropped_detections: dropped }) => dropped?.[what] ?? 0);
  return {
    coverage,
    missingViews,
    notAssessed: listNotAssessed(photos, missingViews, coverage),
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
