/**
 * A logistic regression over numbers of evidence: probability = 1 / (1 + exp(-(intercept + sum of weight times
 * (value - mean) / deviation))).
 */
export interface Judge {
  readonly intercept: number;
  /** One per number of evidence. */
  readonly terms: readonly { readonly mean: number; readonly deviation: number; readonly weight: number }[];
}

/** The weights of a folder of models. */
export interface Judges {
  /** By the numbers of `FIRST_EVIDENCE`: which candidates the classifier is shown; without one it has the last word. */
  readonly first: Judge;
  /** By the numbers of `EVIDENCE`; absent where the weights were fitted without a classifier. */
  readonly second?: Judge;
}

/** Returns how likely the candidate is a damage that a person would mark, 0 to 1. */
export function judge({ intercept, terms }: Judge, evidence: readonly number[]): number {
  const sum = terms.reduce(
    (total, { mean, deviation, weight }, at) =>
      total + (weight * ((evidence[at] as number) - mean)) / deviation,
    intercept,
  );
  return 1 / (1 + Math.exp(-sum));
}
