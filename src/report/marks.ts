import type { Photo, VisualInspection } from '../contract/inspection.ts';
import { listPhotoFindings } from './finding-rows.ts';

/** Lists the marks drawn on a photo: a numbered bounding box per finding, in pixels of the upright photo. */
export function listMarks(photo: Pick<Photo, 'index'>, inspection: VisualInspection) {
  return listPhotoFindings(photo, inspection).map(({ damage, box, toCheck }) => ({
    number: damage.number,
    box,
    type: damage.subtype ?? damage.type,
    severity: damage.severity,
    toCheck,
  }));
}
