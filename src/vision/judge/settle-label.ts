import { DETECTOR_LABELS, type DetectorLabel } from '../../domain/sight/detection.ts';
import type { ClassifiedCandidate } from './evidence.ts';

/**
 * How much the classifier's word counts against the detector's, as a power; measured in models/training/README.md.
 */
const CLASSIFIER_POWER = 0.5;
/** What keeps a class that one of them does not see at all from being ruled out. */
const LEAST = 0.01;

/**
 * Returns the class of a candidate: the one that the detector's scores at its place (`scores`, in the order of
 * `DETECTOR_LABELS`) and the classifier's word together hold for most likely.
 */
export function settleLabel(scores: readonly number[], { kinds }: ClassifiedCandidate): DetectorLabel {
  const together = (label: DetectorLabel, at: number) =>
    ((scores[at] ?? 0) + LEAST) * ((kinds[label] ?? 0) + LEAST) ** CLASSIFIER_POWER;
  return DETECTOR_LABELS.map((label, at) => ({ label, likely: together(label, at) })).reduce((best, one) =>
    one.likely > best.likely ? one : best,
  ).label;
}
