import type { CalibrationCurve } from './manifest.ts';

/** Maps a raw score to a probability (0 to 1) by linear interpolation of a curve, clamped at both ends. */
export function calibrate({ x, y }: CalibrationCurve, score: number): number {
  const last = x.length - 1;
  if (score <= (x[0] as number)) return y[0] as number;
  if (score >= (x[last] as number)) return y[last] as number;
  let right = 1;
  while ((x[right] as number) < score) right++;
  const [x0, x1, y0, y1] = [x[right - 1], x[right], y[right - 1], y[right]] as [
    number,
    number,
    number,
    number,
  ];
  return y0 + ((score - x0) / (x1 - x0)) * (y1 - y0);
}
