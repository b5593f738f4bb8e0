/** Typical half-width of a size interval, as a fraction of the length, for sizes that state no interval. */
export const DEFAULT_SIZE_ERROR = 0.31;

/**
 * Returns the longest extent, centimeters, that last determined a finding's severity, by rule or by review; undefined
 * if no size did.
 * @param explain rules applied to the finding, in order
 */
export function readGradedSizeCm(
  explain: readonly { readonly rule: string; readonly inputs: Readonly<Record<string, unknown>> }[],
): number | undefined {
  const sizes = explain.map(({ rule, inputs }) => /^(severity|review)\./.test(rule) && inputs.long_side_cm);
  return sizes.findLast((size) => typeof size === 'number');
}
