/**
 * Runs `work` over the items, at most `limit` in parallel, with results in item order. After `signal` aborts, no new
 * item starts; items not started are null. The first failure prevents further starts and is thrown after the running
 * items finish.
 */
export async function mapInOrder<T, R>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal | undefined,
  work: (item: T, index: number) => Promise<R>,
): Promise<(R | null)[]> {
  const results: (R | null)[] = items.map(() => null);
  let next = 0;
  let failure: { error: unknown } | null = null;
  const lane = async () => {
    while (next < items.length && !failure && !signal?.aborted) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T, index);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, lane));
  // Assigned inside the lanes, which the compiler's narrowing cannot see.
  const failed = failure as { error: unknown } | null;
  if (failed) throw failed.error;
  return results;
}
