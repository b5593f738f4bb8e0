import { DETECTOR_LABELS, type DetectorLabel } from '../../domain/sight/detection.ts';
import type { ClassifiedCandidate } from './evidence.ts';

/** Exponent of the classifier's probability relative to the detector's score; measured in models/training/README.md. */
const CLASSIFIER_POWER = 0.5;
/** Additive smoothing that keeps a class with a zero score from being ruled out. */
const SMOOTHING = 0.01;

/**
 * Selects the most likely class of a candidate from the detector's scores at its location (`scores`, ordered as
 * `DETECTOR_LABELS`) and the classifier's probabilities.
 */
export function chooseLabel(scores: readonly number[], { kinds }: ClassifiedCandidate): DetectorLabel {
  const score = (label: DetectorLabel, at: number) =>
    ((scores[at] ?? 0) + SMOOTHING) * ((kinds[label] ?? 0) + SMOOTHING) ** CLASSIFIER_POWER;
  return DETECTOR_LABELS.map((label, at) => ({ label, likely: score(label, at) })).reduce((best, one) =>
    one.likely > best.likely ? one : best,
  ).label;
}
