import { CLAIM_TTL_MS, type Store } from '../storage/ports.ts';

/** Creates the idempotency-key claims of a process. */
export function createClaims(store: Store['idempotency']) {
  const activeClaims = new Set<string>();
  const pendingReleases = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  async function retryReleases(): Promise<void> {
    const claims = [...pendingReleases];
    if (claims.length === 0) return;
    await store.release(claims);
    for (const claim of claims) pendingReleases.delete(claim);
  }
  async function renew(): Promise<void> {
    await retryReleases();
    if (activeClaims.size > 0) await store.renew([...activeClaims]);
  }
  return {
    /** Renews a claim while its request is processed. */
    async renewDuring<T>(claim: string, callback: () => Promise<T>): Promise<T> {
      activeClaims.add(claim);
      try {
        return await callback();
      } finally {
        activeClaims.delete(claim);
      }
    },
    /** Releases a claim, now or once the store responds. */
    async release(claim: string) {
      pendingReleases.add(claim);
      await retryReleases().catch(() => undefined);
    },
    /** Releases the claims that could not be released earlier. */
    retryReleases,
    start() {
      // An unreachable store is queried again at the next interval.
      timer = setInterval(() => void renew().catch(() => undefined), CLAIM_TTL_MS / 5).unref();
    },
    stop: () => clearInterval(timer),
  };
}
export type Claims = ReturnType<typeof createClaims>;
