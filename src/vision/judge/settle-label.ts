import { DETECTOR_LABELS, type DetectorLabel } from '../../domain/sight/detection.ts';
import type { ClassifiedCandidate } from './evidence.ts';

/** Below this the classifier rules a class out. */
const RULED_OUT = 0.05;
/** From this on it names another with confidence. */
const NAMED = 0.5;

/**
 * Returns the class of a candidate: the detector's, but for one that the classifier rules out while it names another.
 * Measured in models/README.md, "The judge".
 */
export function settleLabel(
  label: DetectorLabel,
  classified: ClassifiedCandidate | undefined,
): DetectorLabel {
  if (classified === undefined || (classified.kinds[label] ?? 0) >= RULED_OUT) return label;
  return DETECTOR_LABELS.find((other) => (classified.kinds[other] ?? 0) >= NAMED) ?? label;
}
