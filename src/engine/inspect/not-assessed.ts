import type { Photo } from '../../contract/inspection.ts';
import type { NotAssessed } from '../../contract/inspection-grounds.ts';
import type { VehicleCoverage } from '../../domain/grading/vehicle-coverage.ts';
import { preventsJudgment } from '../../domain/photo.ts';
import { describeSide } from './grounds-words.ts';

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
