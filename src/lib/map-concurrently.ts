import pLimit from 'p-limit';

/**
 * Maps the items, at most `concurrency` in parallel, with results in item order. After `signal` aborts, no new item starts;
 * items not started are null. The first failure prevents further starts and is thrown after the running items finish.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  signal: AbortSignal | undefined,
  mapItem: (item: T, index: number) => Promise<R>,
): Promise<(R | null)[]> {
  const failures: unknown[] = [];
  const results = await pLimit(Math.max(1, concurrency)).map(items, async (item, index) => {
    if (failures.length > 0 || signal?.aborted) return null;
    return mapItem(item, index).catch((error: unknown) => {
      failures.push(error);
      return null;
    });
  });
  if (failures.length > 0) throw failures[0];
  return results;
}
