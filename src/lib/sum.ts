/** Returns the sum of what is picked of each. */
export const sumOf = <T>(of: readonly T[], pick: (one: T) => number): number =>
  of.reduce((sum, one) => sum + pick(one), 0);

/** Returns the mean of what is picked of each; NaN of none. */
export const meanOf = <T>(of: readonly T[], pick: (one: T) => number): number => sumOf(of, pick) / of.length;
