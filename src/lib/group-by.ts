/** Groups a list by key, in order of first occurrence. */
export function groupBy<T, K>(list: readonly T[], readKey: (one: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const one of list) {
    const key = readKey(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}
