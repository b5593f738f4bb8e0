import type { NotAssessed, Photo } from '../../contract/inspection.ts';
import { computeCoverage, type VehicleCoverage } from '../../domain/grading/vehicle-coverage.ts';
import { findSide } from '../../domain/parts.ts';
import { preventsJudgment } from '../../domain/photo.ts';
import { computeDistanceM, type PartView, toStatus } from '../../domain/sight/part-coverage.ts';
import { listMissingViews } from '../../domain/sight/walk-around.ts';
import { sumBy } from '../../lib/lists.ts';
import { describeSide } from './grounds-words.ts';

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

/** Lists what was not judged and why: photos without a vehicle's outside, missing views, incomplete sides, mechanics. */
export function listNotAssessed(
  photos: readonly Photo[],
  views: readonly string[],
  { sides }: Pick<VehicleCoverage, 'sides'>,
): NotAssessed[] {
  return [
    ...photos.flatMap(listUnjudgedPhoto),
    ...views.map((view) => ({
      what: view,
      code: 'view_missing',
      reason: `no photo shows enough of the ${describeSide(view)} to judge it`,
    })),
    ...sides
      .filter(({ side, status }) => status !== 'seen' && !views.includes(side))
      .map(({ side }) => ({
        what: side,
        code: 'view_incomplete',
        reason: `the photos show too little of the ${describeSide(side)} to judge all of it`,
      })),
    {
      what: 'mechanical',
      code: 'not_visible',
      reason: 'mechanical parts and the underside are not judged from photos',
    },
  ];
}

function listUnjudgedPhoto({ url, type, issues }: Photo): NotAssessed[] {
  if (type !== 'exterior')
    return [{ what: url, code: `${type}_photo`, reason: `${type} photos are kept but not analyzed` }];
  return issues.filter(preventsJudgment).map(({ code, message }) => ({ what: url, code, reason: message }));
}
