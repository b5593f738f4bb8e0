/** Groups a list by key, in order of first occurrence. */
export function groupBy<T, K>(list: readonly T[], readKey: (one: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const one of list) {
    const key = readKey(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** Returns a list without what is absent: null, undefined, false or an empty text. */
export const compact = <T>(list: readonly (T | null | undefined | false | '')[]): T[] =>
  list.filter((one): one is T => Boolean(one));

/** Sums a value picked from each item. */
export const sumBy = <T>(items: readonly T[], pick: (item: T) => number): number =>
  items.reduce((sum, item) => sum + pick(item), 0);

/** Averages a value picked from each item; NaN if there are none. */
export const meanBy = <T>(list: readonly T[], pick: (item: T) => number) => sumBy(list, pick) / list.length;

/**
 * Runs `work` over the items, at most `concurrency` in parallel, with results in item order. After `signal` aborts, no new
 * item starts; items not started are null. The first failure prevents further starts and is thrown after the running
 * items finish.
 */
export async function mapInOrder<T, R>(
  items: readonly T[],
  concurrency: number,
  signal: AbortSignal | undefined,
  mapItem: (item: T, index: number) => Promise<R>,
): Promise<(R | null)[]> {
  const results: (R | null)[] = items.map(() => null);
  let nextIndex = 0;
  let failure: { error: unknown } | null = null;
  const runWorker = async () => {
    while (nextIndex < items.length && !failure && !signal?.aborted) {
      const index = nextIndex++;
      try {
        results[index] = await mapItem(items[index] as T, index);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, items.length)) }, runWorker));
  // Assigned inside the workers, which the compiler's narrowing cannot see.
  const firstFailure = failure as { error: unknown } | null;
  if (firstFailure) throw firstFailure.error;
  return results;
}
