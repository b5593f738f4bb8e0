import { type Box, iou, type Size } from '../../domain/geometry.ts';
import type { PartMap } from '../../domain/sight/detection.ts';
import { massInBox } from '../../domain/sight/part-map.ts';
import { cannotBeThere, isLargelyBeside, isReflection } from '../../domain/sight/plausible.ts';
import type { ScoredBox } from '../boxes/nms.ts';
import { cutAround, ZOOMS, type Zoom } from './cuts.ts';
import { type Again, type Candidate, evidenceOf, meanOf, seenAt } from './evidence.ts';

/**
 * Runs the detector on a region of the raster, straight and, where that may say something else, mirrored; boxes in parts
 * (0 to 1) of what was shown.
 */
export type DetectTwice = (region: Box) => Promise<{
  readonly straight: readonly ScoredBox[];
  readonly turned: readonly ScoredBox[] | undefined;
}>;

/** A candidate worth a second look, with the detector's own number of its class. */
export interface NumberedCandidate extends Candidate {
  readonly labelNumber: number;
}

/** Below this confidence of the first look nothing is looked at again: the time goes to what may be something. */
const LEAST_CONFIDENCE = 0.06;
/** Candidates of a photo that are looked at again, best first: a wreck has dozens, and the time goes up with each. */
const MOST_CANDIDATES = 6;
/** Of candidates that overlap by more than this only the best is looked at again: the result keeps one of them. */
const SAME_THING = 0.65;

/**
 * The candidates worth a second look, best first: sure enough, of several in one place the best, and none that lies
 * where such damage cannot be (those are dropped later anyway).
 */
export function worthAnotherLook<C extends Candidate>(
  candidates: readonly C[],
  parts: PartMap,
  raster: Size,
): C[] {
  const chosen: C[] = [];
  for (const one of candidates.toSorted((a, b) => b.confidence - a.confidence)) {
    if (one.confidence < LEAST_CONFIDENCE || chosen.length >= MOST_CANDIDATES) break;
    if (chosen.some((better) => iou(better.box, one.box) > SAME_THING)) continue;
    if (!isOutOfPlace(one, parts, raster)) chosen.push(one);
  }
  return chosen;
}

function isOutOfPlace({ label, box }: Candidate, parts: PartMap, raster: Size): boolean {
  const inside = massInBox(parts, raster, box);
  return isLargelyBeside(box, inside, raster) || isReflection(label, inside) || cannotBeThere(label, inside);
}

/** Looks at a candidate again in a cut at each zoom and returns the numbers it is judged by. */
export async function lookAgain(
  candidate: NumberedCandidate,
  parts: PartMap,
  raster: Size,
  detect: DetectTwice,
): Promise<number[]> {
  const at = async (zoom: Zoom): Promise<Again> => {
    const cut = cutAround(candidate.box, raster, zoom);
    const place = {
      x: (candidate.box.x - cut.x) / cut.width,
      y: (candidate.box.y - cut.y) / cut.height,
      width: candidate.box.width / cut.width,
      height: candidate.box.height / cut.height,
    };
    const opposite = { ...place, x: 1 - place.x - place.width };
    const { straight, turned } = await detect(cut);
    const first = seenAt(place, candidate.labelNumber, straight);
    return turned === undefined ? first : meanOf([first, seenAt(opposite, candidate.labelNumber, turned)]);
  };
  const [near, middle, far] = ZOOMS;
  return evidenceOf(candidate, await Promise.all([at(near), at(middle), at(far)]), parts, raster);
}
