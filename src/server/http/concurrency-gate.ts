import type { Environment } from '../../domain/account.ts';
import type { RequestSlots } from '../../storage/ports.ts';

/** Limits concurrent requests per account. */
export interface ConcurrencyGate {
  /** Returns the function that frees the slot, to be called once; undefined if the account is at its limit. */
  enter(accountId: string, limit: number): Promise<(() => void) | undefined>;
}

/** Creates a gate for the requests of all processes that share a store. */
export function createStoredGate(
  slots: RequestSlots,
  environment: Environment,
  processId: string,
): ConcurrencyGate {
  return {
    async enter(accountId, limit) {
      const id = await slots.take({ accountId, environment, processId }, limit);
      // If freeing fails, the slot lapses once this process counts as dead.
      return id === undefined ? undefined : () => void slots.free(id).catch(() => undefined);
    },
  };
}

export function createConcurrencyGate(): ConcurrencyGate {
  const inFlight = new Map<string, number>();
  function leave(accountId: string): void {
    const count = (inFlight.get(accountId) ?? 1) - 1;
    if (count <= 0) inFlight.delete(accountId);
    else inFlight.set(accountId, count);
  }
  return {
    async enter(accountId, limit) {
      const count = inFlight.get(accountId) ?? 0;
      if (count >= limit) return undefined;
      inFlight.set(accountId, count + 1);
      return () => leave(accountId);
    },
  };
}
