/** Orders the jobs of one process by start-time fair queueing; a shared store does the same in SQL. */
interface FairOrder {
  /** Raises an account's tag by the cost of its next job, or by the extra cost of a finished one; returns the tag. */
  raiseTag(accountId: string, cost: number): number;
  /** Records the start of a job with this tag. */
  markStarted(tag: number): void;
  /** Drops accounts without debt; to be called once no job waits. */
  prune(): void;
}

/** Creates an in-memory fair order of jobs over accounts. */
export function createFairOrder(): FairOrder {
  const tags = new Map<string, number>();
  let startedTag = 0;
  return {
    raiseTag(accountId, cost) {
      const tag = Math.max(tags.get(accountId) ?? 0, startedTag) + cost;
      tags.set(accountId, tag);
      return tag;
    },
    markStarted(tag) {
      startedTag = Math.max(startedTag, tag);
    },
    prune() {
      for (const [accountId, tag] of tags) if (tag <= startedTag) tags.delete(accountId);
    },
  };
}
