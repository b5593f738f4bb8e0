import { area, type Box, clampToPixels, iou, type Size, scaleBox } from '../../domain/geometry.ts';
import type { PlateModel } from '../models/manifest.ts';
import { mergePasses, type Pass } from './merge-boxes.ts';
import { type ScoredBox, suppress } from './nms.ts';

/** A possible number plate: box in pixels of the upright photo, and model confidence, 0 to 1. */
export interface Plate {
  readonly box: Box;
  readonly confidence: number;
}

/** Margin around a plate, as a fraction of its shorter side. Blurring too much is harmless, a visible letter is not. */
const MARGIN = 0.5;

/**
 * A plate rarely fills more than this share of a photo, and a false one hides much, so it must be detected in the whole
 * photo with this confidence. Chosen on the validation photos, as is `SMALL_PLATE` (models/plates.md).
 */
const LARGE_PLATE = { share: 0.03, minConfidence: 0.5 } as const;

/** Maximum share and minimum confidence of a plate detected only by a closer pass, as too small for the whole photo. */
const SMALL_PLATE = { share: 0.01, minConfidence: 0.55 } as const;

/** Detections that overlap by more than this are the same plate. */
const ONE_PLATE_IOU = 0.3;

/** Detections in the whole photo and in its closer passes. */
interface PlatePasses {
  readonly first: Pass;
  readonly closer: readonly Pass[];
}

/**
 * Merges the passes over `raster` into plates above the threshold. Small plates may come from a closer pass alone
 * (`SMALL_PLATE`), large ones only from the whole photo (`LARGE_PLATE`). Boxes include the margin, in pixels of `photo`.
 */
export function listPlateBoxes(
  { first, closer }: PlatePasses,
  { threshold, nms_iou }: Pick<PlateModel, 'threshold' | 'nms_iou'>,
  raster: Size,
  photo: Size,
): Plate[] {
  const shareOf = ({ box }: ScoredBox) => area(box) / (raster.width * raster.height);
  const large = first.boxes.filter(
    (one) => shareOf(one) > LARGE_PLATE.share && one.score >= Math.max(threshold, LARGE_PLATE.minConfidence),
  );
  const merged = mergePasses(first, closer, raster, nms_iou).filter(
    (one) => shareOf(one) <= LARGE_PLATE.share && one.score >= threshold,
  );
  const small = closer
    .flatMap((pass) => pass.boxes)
    .filter((one) => shareOf(one) <= SMALL_PLATE.share && one.score >= SMALL_PLATE.minConfidence);
  const isDistinctFrom = (from: readonly ScoredBox[]) => (one: ScoredBox) =>
    from.every(({ box }) => iou(box, one.box) <= ONE_PLATE_IOU);
  const main = [...large, ...merged.filter(isDistinctFrom(large))];
  const distinctSmall = suppress(small, ONE_PLATE_IOU).filter(isDistinctFrom(main));
  const scale: Size = { width: photo.width / raster.width, height: photo.height / raster.height };
  return [...main, ...distinctSmall].map(({ box, score }) => ({
    box: addMargin(scaleBox(box, scale), photo),
    confidence: score,
  }));
}

function addMargin({ x, y, width, height }: Box, photo: Size): Box {
  const margin = Math.min(width, height) * MARGIN;
  return clampToPixels(
    { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin },
    photo,
  );
}
