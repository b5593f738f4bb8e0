/** Rounds a number to `decimals` decimal places, halves up. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}

/** Converts a share of 0 to 1 to percent, with at most two decimal places. */
export function toPercent(share: number): number {
  return Math.round(share * 10_000) / 100;
}
