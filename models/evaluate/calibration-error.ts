import { meanBy } from '../../src/lib/lists.ts';

/** Confidence of a finding and whether it was correct. */
export interface Prediction {
  /** Calibrated confidence, 0 to 1. */
  readonly confidence: number;
  readonly isCorrect: boolean;
}

/** Findings of similar confidence: count, mean confidence, share correct. */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly said: number;
  readonly right: number;
}

/** Bins findings by confidence into equal intervals; omits empty bins. */
export function binByConfidence(predictions: readonly Prediction[], bins = 10): ReliabilityBin[] {
  return Array.from({ length: bins }, (_, bin) => {
    const members = predictions.filter(
      ({ confidence }) => Math.min(bins - 1, Math.floor(confidence * bins)) === bin,
    );
    const said = meanBy(members, ({ confidence }) => confidence);
    const right = meanBy(members, (one) => Number(one.isCorrect));
    return { from: bin / bins, to: (bin + 1) / bins, count: members.length, said, right };
  }).filter(({ count }) => count > 0);
}

/**
 * Computes the expected calibration error: the count-weighted mean over the bins of the gap between confidence and
 * accuracy.
 */
export function computeCalibrationError(predictions: readonly Prediction[], bins = 10): number | undefined {
  if (predictions.length === 0) return undefined;
  const gaps = binByConfidence(predictions, bins).map(
    ({ count, said, right }) => count * Math.abs(said - right),
  );
  return gaps.reduce((sum, gap) => sum + gap, 0) / predictions.length;
}
