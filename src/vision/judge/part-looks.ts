import type { Box } from '../../domain/geometry.ts';
import type { DetectorLabel, SegmentLabel } from '../../domain/sight/detection.ts';
import { type MeasuredParts, scaleToPixels } from '../../domain/sight/part-map.ts';
import { GLASS, LAMPS } from '../../domain/sight/segments.ts';
import { isImpossible } from './candidates.ts';
import { chooseLabel } from './choose-label.ts';
import type { Classify } from './classify-candidates.ts';
import { placeCloseUp } from './close-up.ts';
import { type Candidate, type ClassifiedCandidate, findScoresAt, type PhotoDetections } from './evidence.ts';

/** Minimum share of the photo for a look at a part. */
const MIN_SHARE = 0.004;
/** Side of the look as a multiple of the part's longer side. */
const CONTEXT = 1.25;
/** Probability of damage from which a part as a whole is a candidate. */
const MIN_DAMAGE = 0.5;
/** Stands for the detector's score and confidence, which has no box there. */
const SCORE = 0.05;
/** Share of kinds that change a part's shape from which its damage is panel damage. */
const MIN_SHAPE_SHARE = 0.5;

/** A part that looks damaged as a whole, with what the classifier says of it. */
export interface PartLook {
  readonly candidate: Candidate;
  readonly classified: ClassifiedCandidate;
}

/**
 * Shows the classifier each visible part as a whole: a crushed door has no edge for the detector to box. Returns those
 * that look damaged; boxes in pixels of the raster.
 */
export async function lookAtParts(
  { visibleParts }: MeasuredParts,
  detections: PhotoDetections,
  classify: Classify,
): Promise<PartLook[]> {
  const parts = scaleToPixels(visibleParts, detections.raster).filter(
    ({ label, share }) => label !== 'wheel' && share >= MIN_SHARE,
  );
  const looks = await Promise.all(
    parts.map(async ({ label: part, box }) => {
      const classified = await classify(box, placeCloseUp(box, detections.raster, CONTEXT));
      const label = nameDamage(part, box, classified, detections);
      return { candidate: { label, box, score: SCORE, confidence: SCORE }, classified };
    }),
  );
  return looks.filter(
    ({ candidate, classified: { damage } }) =>
      damage >= MIN_DAMAGE && !isImpossible(candidate, detections.parts, detections.raster),
  );
}

function nameDamage(
  part: SegmentLabel,
  box: Box,
  classified: ClassifiedCandidate,
  detections: PhotoDetections,
): DetectorLabel {
  const { panel_damage: panel = 0, dent = 0, crack = 0 } = classified.kinds;
  if (panel + dent + crack < MIN_SHAPE_SHARE) return chooseLabel(findScoresAt(box, detections), classified);
  return LAMPS.has(part) ? 'lamp_damage' : GLASS.has(part) ? 'glass_damage' : 'panel_damage';
}
