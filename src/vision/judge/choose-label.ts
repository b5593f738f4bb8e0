import { DETECTOR_LABELS, type DetectorLabel } from '../../domain/sight/detection.ts';

/** Exponent of the classifier's probability relative to the detector's score; stated in models/README.md. */
const CLASSIFIER_POWER = 0.5;
/** Additive smoothing that keeps a class with a zero score from being ruled out. */
const SMOOTHING = 0.01;

/**
 * Selects the most likely class of a candidate.
 * @param scores detector scores at its location, one per label of `DETECTOR_LABELS`
 * @param kinds classifier probabilities in the same order
 */
export function chooseLabel(scores: readonly number[], kinds: readonly number[]): DetectorLabel {
  const likelihoods = DETECTOR_LABELS.map(
    (_, at) => ((scores[at] as number) + SMOOTHING) * ((kinds[at] as number) + SMOOTHING) ** CLASSIFIER_POWER,
  );
  return DETECTOR_LABELS[likelihoods.indexOf(Math.max(...likelihoods))] as DetectorLabel;
}
