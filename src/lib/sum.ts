/** Returns the sum of what is picked of each. */
export const sumOf = <T>(of: readonly T[], pick: (one: T) => number): number =>
  of.reduce((sum, one) => sum + pick(one), 0);
