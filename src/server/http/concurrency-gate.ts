/** Requests that create a job are long; all others are short. */
export type RequestKind = 'creation' | 'light';

/** Limits concurrent requests per account. */
export interface ConcurrencyGate {
  /** Returns the function that frees the slot, to be called once, or undefined if the account is at its limit. */
  enter(accountId: string, limit: number, kind: RequestKind): Promise<(() => void) | undefined>;
}

/** Creates an in-memory gate. */
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
