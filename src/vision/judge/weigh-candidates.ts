import { type Box, iou } from '../../domain/geometry.ts';
import type { Detection } from '../../domain/sight/detection.ts';
import { measureMassInBox } from '../../domain/sight/part-map.ts';
import { cannotOccur } from '../../domain/sight/plausible.ts';
import type { Classified } from '../run/protocol.ts';
import { chooseLabel } from './choose-label.ts';
import { computeFeatures, computeFirstFeatures, findScoresAt, type PhotoPasses } from './features.ts';
import { type Judge, judge } from './judge.ts';

/** Boxes below this calibrated confidence are almost never damage. */
const MIN_CONFIDENCE = 0.008;
/** Maximum number of candidates per photo, by confidence; a wreck has dozens. */
const MAX_CANDIDATES = 32;
/** IoU above which only the better of two boxes is a candidate; the result would keep one of them anyway. */
const MAX_IOU = 0.65;

/** Minimum probability from the first judge; less likely candidates are dropped without classification. */
const MIN_PROBABILITY = 0.08;
/** Maximum number of candidates per photo sent to the classifier, likeliest first by the first judge. */
const MAX_CLASSIFIED = 20;

/** A possible damage with its feature values (named by `FIRST_FEATURES` or `FEATURES`). */
export interface Candidate extends Detection {
  readonly features: readonly number[];
}

/**
 * Lists the candidates of a photo by confidence, descending: confident enough, free of duplicates, and of a kind
 * possible at their location. Boxes in pixels of the raster.
 */
export function listCandidates(detections: readonly Detection[], passes: PhotoPasses): readonly Candidate[] {
  const { parts, raster } = passes;
  const candidates: Detection[] = [];
  for (const one of detections.toSorted((a, b) => b.confidence - a.confidence)) {
    if (one.confidence < MIN_CONFIDENCE || candidates.length >= MAX_CANDIDATES) break;
    const isRepeat = candidates.some((better) => iou(better.box, one.box) > MAX_IOU);
    if (!isRepeat && !cannotOccur(one.label, measureMassInBox(parts, raster, one.box))) candidates.push(one);
  }
  return candidates.map((one) => ({ ...one, features: computeFirstFeatures(one, candidates, passes) }));
}

/**
 * Keeps the candidates that pass `first`, likeliest first, with its probability as `confidence`. A classifier, if
 * available, then determines their class and completes their features. Boxes in pixels of the raster.
 */
export async function weighCandidates(
  candidates: readonly Candidate[],
  first: Judge,
  passes: PhotoPasses,
  classify: ((box: Box) => Promise<Classified>) | undefined,
): Promise<readonly Candidate[]> {
  const likely = candidates
    .map((one) => ({ ...one, probability: judge(first, one.features) }))
    .filter(({ probability }) => probability >= MIN_PROBABILITY)
    .sort((a, b) => b.probability - a.probability)
    .slice(0, MAX_CLASSIFIED);
  if (!classify) return likely.map(({ probability, ...one }) => ({ ...one, confidence: probability }));
  const classified = new Map(
    await Promise.all(likely.map(async (one) => [one, await classify(one.box)] as const)),
  );
  return [...classified].map(([one, { kinds }]) => ({
    label: chooseLabel(findScoresAt(one.box, passes), kinds),
    box: one.box,
    score: one.score,
    confidence: one.probability,
    features: computeFeatures(one, likely, passes, classified),
  }));
}
