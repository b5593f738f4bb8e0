/** Sums a value picked from each item. */
export const sumOf = <T>(of: readonly T[], pick: (one: T) => number): number =>
  of.reduce((sum, one) => sum + pick(one), 0);

/** Averages a value picked from each item; NaN if there are none. */
export const meanOf = <T>(of: readonly T[], pick: (one: T) => number): number => sumOf(of, pick) / of.length;
