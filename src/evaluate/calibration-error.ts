import { meanOf } from '../lib/sum.ts';

/** What was said of a finding and whether it was right. */
export interface Statement {
  /** Calibrated confidence, 0 to 1. */
  readonly confidence: number;
  readonly right: boolean;
}

/** Statements of like confidence: how many, what they said on average, how many of them were right. */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly said: number;
  readonly right: number;
}

/** Returns statements in equal bins of confidence; empty bins are left out. */
export function binStatements(statements: readonly Statement[], bins = 10): ReliabilityBin[] {
  return Array.from({ length: bins }, (_, bin) => {
    const own = statements.filter(
      ({ confidence }) => Math.min(bins - 1, Math.floor(confidence * bins)) === bin,
    );
    const said = meanOf(own, ({ confidence }) => confidence);
    const right = meanOf(own, (one) => Number(one.right));
    return { from: bin / bins, to: (bin + 1) / bins, count: own.length, said, right };
  }).filter(({ count }) => count > 0);
}

/**
 * Returns the expected calibration error: the mean distance between stated confidence and share that is right over the
 * bins, weighted by count.
 */
export function computeCalibrationError(statements: readonly Statement[], bins = 10): number | undefined {
  if (statements.length === 0) return undefined;
  const gaps = binStatements(statements, bins).map(
    ({ count, said, right }) => count * Math.abs(said - right),
  );
  return gaps.reduce((sum, gap) => sum + gap, 0) / statements.length;
}
