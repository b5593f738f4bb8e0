import { CLAIM_TTL_MS, type IdempotencyStore } from '../storage/ports.ts';

/** Idempotency-key claims of this process. */
export interface Claims {
  /** Renews a claim while its request is processed. */
  renewDuring<T>(claim: string, callback: () => Promise<T>): Promise<T>;
  /** Releases a claim, now or once the store responds. */
  release(claim: string): Promise<void>;
  /** Releases the claims that could not be released earlier. */
  retryReleases(): Promise<void>;
  start(): void;
  stop(): void;
}

/** Creates the claims of a process. */
export function createClaims(store: IdempotencyStore): Claims {
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
    async renewDuring(claim, callback) {
      activeClaims.add(claim);
      try {
        return await callback();
      } finally {
        activeClaims.delete(claim);
      }
    },
    async release(claim) {
      pendingReleases.add(claim);
      await retryReleases().catch(() => undefined);
    },
    retryReleases,
    start() {
      // An unreachable store is queried again at the next interval.
      timer = setInterval(() => void renew().catch(() => undefined), CLAIM_TTL_MS / 5).unref();
    },
    stop: () => clearInterval(timer),
  };
}
