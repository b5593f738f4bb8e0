import { type Box, computeShareOfSmaller, iou, type Size, union } from '../../domain/geometry.ts';
import type { PartMap, SegmentLabel } from '../../domain/sight/detection.ts';
import { computeVehicleShare, measureMassInBox, sumMass, sumMassOf } from '../../domain/sight/part-map.ts';
import type { Pass } from '../boxes/merge-boxes.ts';
import { compareByScore, type ScoredBox, suppress } from '../boxes/nms.ts';
import type { PlateModel } from '../models/manifest.ts';

/** A plate candidate after its close-up: its box covers what both passes detected, in pixels of the raster. */
interface PlateDetection {
  readonly box: Box;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Side of the close-up, as a multiple of the candidate's longer side. */
const CLOSE_UP_SCALE = 2.2;
/** IoU from which two boxes show one plate. */
const ONE_PLATE_IOU = 0.3;
/** Share of the smaller box inside the larger from which the close-up shows the same object, if not its extent. */
const MIN_SEEN_AGAIN = 0.5;
/** Maximum number of candidates per photo; of the 584 photos measured, only one, full of lettering, has more. */
const MAX_CANDIDATES = 8;
/** Minimum score for the extent of a box in the close-up to count. */
const MIN_CLOSE_SCORE = 0.3;

/** Parts that bear plates; the hood is included because a crash may bend the plate over it. */
const PLATE_PARTS: readonly SegmentLabel[] = [
  'background',
  'front_bumper',
  'rear_bumper',
  'trunk_lid',
  'hood',
];
/** Maximum share of other parts inside a plate's box. */
const MAX_OTHER_PARTS = 0.3;
/** Share of the vehicle in the box below which the parts say nothing about where the plate hangs. */
const MIN_VEHICLE = 0.25;

/** Minimum confidence of a plate on a part that bears plates, and elsewhere. */
const MIN_ON_PART = 0.425;
const MIN_ELSEWHERE = 0.575;

/** A box that may be a plate, and the confidence that it needs from both passes where it lies. */
interface PlateCandidate extends ScoredBox {
  readonly minConfidence: number;
}

/**
 * Lists the boxes of all passes that a close-up may confirm as plates, best first: those that lie on a part that bears
 * plates, or where no part is recognized. Limits were chosen on the validation photos (models/plates.md).
 * @param parts null if the photo was not segmented
 */
export function listPlateCandidates(
  passes: readonly Pass[],
  { threshold }: Pick<PlateModel, 'threshold'>,
  parts: PartMap | null,
  raster: Size,
): readonly PlateCandidate[] {
  const boxes = passes.flatMap((pass) => pass.boxes).filter(({ score }) => score >= threshold);
  return suppress(boxes, ONE_PLATE_IOU, MAX_CANDIDATES)
    .map((one) => ({ ...one, minConfidence: findMinConfidence(one.box, parts, raster) }))
    .filter(({ score, minConfidence }) => combineScores(score, 1) >= minConfidence);
}

/** Returns infinity on a part that bears no plate. */
function findMinConfidence(box: Box, parts: PartMap | null, raster: Size): number {
  const mass = parts && measureMassInBox(parts, raster, box);
  if (mass === null) return MIN_ELSEWHERE;
  if (sumMass(mass) - sumMassOf(mass, PLATE_PARTS) > MAX_OTHER_PARTS * sumMass(mass))
    return Number.POSITIVE_INFINITY;
  return computeVehicleShare(mass) >= MIN_VEHICLE ? MIN_ON_PART : MIN_ELSEWHERE;
}

/** A candidate's own score counts twice as much as the one in its close-up. */
const combineScores = (score: number, closeUpScore: number) => (2 * score + closeUpScore) / 3;

/** Returns the square close-up of a candidate, which may extend beyond the raster. */
export function placePlateCloseUp({ x, y, width, height }: Box): Box {
  const side = CLOSE_UP_SCALE * Math.max(width, height);
  return { x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side };
}

/**
 * Returns the candidate as a plate if both passes together are confident enough; null otherwise.
 * @param inCloseUp boxes detected in the close-up, in pixels of the raster
 */
export function judgePlate(
  { box, score, minConfidence }: PlateCandidate,
  inCloseUp: readonly ScoredBox[],
): PlateDetection | null {
  const [best] = inCloseUp
    .filter((one) => computeShareOfSmaller(one.box, box) > MIN_SEEN_AGAIN)
    .sort(compareByScore);
  const confidence = combineScores(score, best?.score ?? 0);
  if (confidence < minConfidence) return null;
  const isSame = best !== undefined && best.score >= MIN_CLOSE_SCORE && iou(best.box, box) > ONE_PLATE_IOU;
  return { box: isSame ? union(box, best.box) : box, confidence };
}
