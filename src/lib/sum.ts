/** Sums a value picked from each item. */
export const sumBy = <T>(items: readonly T[], pick: (item: T) => number): number =>
  items.reduce((sum, item) => sum + pick(item), 0);

/** Averages a value picked from each item; NaN if there are none. */
export const meanBy = <T>(list: readonly T[], pick: (item: T) => number) => sumBy(list, pick) / list.length;
