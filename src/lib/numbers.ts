import { sumBy } from './lists.ts';

/** Rounds a number to `decimals` decimal places. A half that is no binary fraction may go down: 1.005 to 1. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}

/** Parses a decimal number such as `12`, `-0.5` or `1e3`; NaN for other text, also a blank and `0x10`. */
export function parseDecimal(text: string): number {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
}

/** Divides whole units in proportion to the weights, without remainder; all zero if the weights sum to zero. */
export function distribute(amount: number, weights: readonly number[]): readonly number[] {
  const total = sumBy(weights, (one) => one);
  if (total === 0) return weights.map(() => 0);
  const endAfter = (count: number) =>
    Math.round((amount * sumBy(weights.slice(0, count), (one) => one)) / total);
  return weights.map((_, i) => endAfter(i + 1) - endAfter(i));
}

/** Converts a share of 0 to 1 to percent, with at most two decimal places. */
export function toPercent(share: number): number {
  return Math.round(share * 10_000) / 100;
}

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
