/** Points of a piecewise linear function, in ascending order of `at`. */
export type Curve = readonly (readonly [at: number, value: number])[];

/** Interpolates a curve linearly; constant beyond its ends. */
export function interpolate(curve: Curve, at: number): number {
  let [x0, y0] = curve[0] ?? [0, 0];
  for (const [x1, y1] of curve) {
    if (at <= x1) return x1 === x0 ? y1 : y0 + ((at - x0) / (x1 - x0)) * (y1 - y0);
    [x0, y0] = [x1, y1];
  }
  return y0;
}
