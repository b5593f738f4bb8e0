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

/** Lists the boxes of all passes that may be plates, best first. */
export function listPlateCandidates(
  passes: readonly Pass[],
  { threshold }: Pick<PlateModel, 'threshold'>,
): readonly ScoredBox[] {
  const boxes = passes.flatMap((pass) => pass.boxes).filter(({ score }) => score >= threshold);
  return suppress(boxes, ONE_PLATE_IOU, MAX_CANDIDATES);
}

/** Returns the square close-up of a candidate, which may extend beyond the raster. */
export function placePlateCloseUp({ x, y, width, height }: Box): Box {
  const side = CLOSE_UP_SCALE * Math.max(width, height);
  return { x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side };
}

/**
 * Decides whether a candidate is a plate: it must lie on a part that bears plates, with enough confidence from both
 * passes together, more where no part is recognized. Limits were chosen on the validation photos (models/plates.md).
 * @param inCloseUp boxes detected in the close-up, in pixels of the raster
 * @param parts null if the photo was not segmented
 */
export function judgePlate(
  { box, score }: ScoredBox,
  inCloseUp: readonly ScoredBox[],
  parts: PartMap | null,
  raster: Size,
): PlateDetection | null {
  const mass = parts && measureMassInBox(parts, raster, box);
  if (mass && sumMass(mass) - sumMassOf(mass, PLATE_PARTS) > MAX_OTHER_PARTS * sumMass(mass)) return null;
  const isOnPart = mass !== null && computeVehicleShare(mass) >= MIN_VEHICLE;
  const [best] = inCloseUp
    .filter((one) => computeShareOfSmaller(one.box, box) > MIN_SEEN_AGAIN)
    .sort(compareByScore);
  // The candidate's own score counts twice as much as the one in the close-up.
  const confidence = (2 * score + (best?.score ?? 0)) / 3;
  if (confidence < (isOnPart ? MIN_ON_PART : MIN_ELSEWHERE)) return null;
  const isSame = best !== undefined && best.score >= MIN_CLOSE_SCORE && iou(best.box, box) > ONE_PLATE_IOU;
  return { box: isSame ? union(box, best.box) : box, confidence };
}
