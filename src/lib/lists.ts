/** Groups a list by key, in order of first occurrence; no group is empty. */
export function groupBy<T, K>(
  list: readonly T[],
  readKey: (one: T) => K,
): ReadonlyMap<K, readonly [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const one of list) {
    const key = readKey(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** Returns a list without absent items: null, undefined, false, an empty text or 0. */
export const compact = <T>(list: readonly (T | null | undefined | false | '')[]): T[] =>
  list.filter((one): one is T => Boolean(one));

/** Sums a value picked from each item. */
export const sumBy = <T>(items: readonly T[], pick: (item: T) => number): number =>
  items.reduce((sum, item) => sum + pick(item), 0);

/** Averages a value picked from each item; NaN if there are none. */
export const meanBy = <T>(list: readonly T[], pick: (item: T) => number) => sumBy(list, pick) / list.length;
