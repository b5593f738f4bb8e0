import { interpolate } from '../../lib/numbers.ts';
import type { CalibrationCurve } from './manifest.ts';

/** Maps a raw score to a probability (0 to 1) by linear interpolation of a curve, clamped at both ends. */
export function calibrate({ x, y }: CalibrationCurve, score: number): number {
  return interpolate(
    x.map((at, i) => [at, y[i] as number] as const),
    score,
  );
}
