import { CLAIM_MS, type IdempotencyStore } from '../storage/ports.ts';

/** Idempotency-key claims of this process. */
export interface Claims {
  /** Renews a claim while its request is processed. */
  hold<T>(claim: string, work: () => Promise<T>): Promise<T>;
  /** Releases a claim, now or once the store responds. */
  giveUp(claim: string): Promise<void>;
  /** Releases the claims that could not be released earlier. */
  settle(): Promise<void>;
  start(): void;
  stop(): void;
}

/** Creates the claims of a process. */
export function createClaims(store: IdempotencyStore): Claims {
  const held = new Set<string>();
  const givenUp = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  async function settle(): Promise<void> {
    const claims = [...givenUp];
    if (claims.length === 0) return;
    await store.release(claims);
    for (const claim of claims) givenUp.delete(claim);
  }
  async function renew(): Promise<void> {
    await settle();
    if (held.size > 0) await store.renew([...held]);
  }
  return {
    async hold(claim, work) {
      held.add(claim);
      try {
        return await work();
      } finally {
        held.delete(claim);
      }
    },
    async giveUp(claim) {
      givenUp.add(claim);
      await settle().catch(() => undefined);
    },
    settle,
    start() {
      // An unreachable store is queried again at the next interval.
      timer = setInterval(() => void renew().catch(() => undefined), CLAIM_MS / 5).unref();
    },
    stop: () => clearInterval(timer),
  };
}
