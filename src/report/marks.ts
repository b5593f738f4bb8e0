import type { Photo, VisualInspection } from '../contract/inspection.ts';
import { nameDamage } from '../domain/damage-words.ts';
import { listPhotoFindings } from './finding-rows.ts';

/** Lists the marks drawn on a photo: a numbered bounding box per finding, in pixels of the upright photo. */
export function listMarks(photo: Pick<Photo, 'index'>, inspection: VisualInspection) {
  return listPhotoFindings(photo, inspection).map(({ damage, box, toCheck }) => ({
    number: damage.number,
    box,
    words: nameDamage({ ...damage, part: damage.location.part }),
    severity: damage.severity,
    toCheck,
  }));
}
