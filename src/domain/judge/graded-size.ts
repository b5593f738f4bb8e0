/** Half-width of most intervals of a size, as a fraction of the length: for sizes that come without theirs. */
export const USUAL_SIZE_ERROR = 0.31;

/**
 * Returns the longest extent by which the severity of a find was judged last, centimetres: by a rule of severity, or by
 * a review that changed it; undefined where it was judged by none.
 * @param explain rules that were applied to the find, in their order
 */
export function readGradedSizeCm(
  explain: readonly { readonly rule: string; readonly inputs: Readonly<Record<string, unknown>> }[],
): number | undefined {
  const sizes = explain.map(({ rule, inputs }) => /^(severity|review)\./.test(rule) && inputs.long_side_cm);
  return sizes.findLast((size) => typeof size === 'number');
}
