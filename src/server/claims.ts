import { CLAIM_MS, type IdempotencyStore } from '../storage/ports.ts';

/** The claims of this process. */
export interface Claims {
  /** Renews a claim while the work of its request goes on. */
  hold<T>(claim: string, work: () => Promise<T>): Promise<T>;
  /** Gives a claim up, now or as soon as the store answers. */
  giveUp(claim: string): Promise<void>;
  /** Gives up what could not be before. */
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
