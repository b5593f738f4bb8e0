import type { RequestSlots } from '../../storage/ports.ts';

/** Creates slots of requests that are counted in memory, for a store with a single process. */
export function createMemorySlots(): RequestSlots {
  const counts = new Map<string, number>();
  return {
    async take({ accountId, environment }, limit) {
      const key = `${environment} ${accountId}`;
      const count = counts.get(key) ?? 0;
      if (count >= limit) return undefined;
      counts.set(key, count + 1);
      return () => {
        const left = (counts.get(key) ?? 0) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      };
    },
  };
}
