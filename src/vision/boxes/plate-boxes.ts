import { type Box, clampToPixels, type Size } from '../../domain/geometry.ts';
import type { ScoredBox } from './nms.ts';

/**
 * A number plate (or what looks like one): its box in pixels of the upright photo and how sure the model is, 0 to 1.
 */
export interface Plate {
  readonly box: Box;
  readonly confidence: number;
}

/** Around a plate, as a share of its shorter side: a plate that is blurred too far harms nobody, a letter left does. */
const MARGIN = 0.5;

/**
 * A plate seldom fills more than this share of a photo, and a wrong one of that size hides much: it must be this sure.
 * Of 28 plates so large on the validation photos two are less sure, of 19 wrong ones 12 (models/plates.md).
 */
const LARGE = { share: 0.03, leastConfidence: 0.5 } as const;

/**
 * Returns the plates that the finder sees from `threshold` on, large ones from `LARGE` on, each with its margin;
 * `found` in parts (0 to 1) of the photo.
 */
export function listPlateBoxes(found: readonly ScoredBox[], threshold: number, photo: Size): Plate[] {
  return found
    .filter(({ box, score }) => {
      const isLarge = box.width * box.height > LARGE.share;
      return score >= (isLarge ? Math.max(threshold, LARGE.leastConfidence) : threshold);
    })
    .map(({ box, score }) => ({ box: addMargin(box, photo), confidence: score }));
}

function addMargin(share: Box, photo: Size): Box {
  const [width, height] = [share.width * photo.width, share.height * photo.height];
  const rim = Math.min(width, height) * MARGIN;
  return clampToPixels(
    {
      x: share.x * photo.width - rim,
      y: share.y * photo.height - rim,
      width: width + 2 * rim,
      height: height + 2 * rim,
    },
    photo,
  );
}
