import type { Plan } from '../../domain/account.ts';
import type { Account } from '../../storage/ports.ts';

/** Size of a job in photos and the weight of its account. */
export interface Share {
  readonly photos: number;
  readonly weight: Weight;
}

/** Relative share of processing: an account of weight 4 gets four times the throughput of one of weight 1. */
export type Weight = 1 | 2 | 4 | 8;

/** Weights by plan; they matter only while several accounts have jobs waiting. */
const PLAN_WEIGHTS: Readonly<Record<Plan, Weight>> = { free: 1, starter: 2, professional: 4, enterprise: 8 };

/** Returns the scheduling weight of an account's plan. */
export function findWeight({ plan }: Account): Weight {
  return PLAN_WEIGHTS[plan];
}

/** Costs are in eighths of a photo, so every weight divides them. */
const UNITS_PER_PHOTO = 8;

/** Returns the amount by which a job raises the tag of its account, in eighths of a photo over the weight. */
export function computeCost({ photos, weight }: Share): number {
  return (Math.max(1, photos) * UNITS_PER_PHOTO) / weight;
}

/** Processor time budget per photo, twice that of an ordinary one; a job that exceeds it is charged by its time. */
const SECONDS_PER_PHOTO = 1;

/** Returns the cost of a job beyond its photo count, from the processor time it took; 0 if within budget. */
export function computeExtraCost({ photos, weight }: Share, seconds: number): number {
  const extraPhotos = seconds / SECONDS_PER_PHOTO - Math.max(1, photos);
  return extraPhotos > 0 ? Math.ceil(computeCost({ photos: extraPhotos, weight })) : 0;
}

/** Lowest BullMQ priority value; 0 means no priority and runs first. */
const MIN_PRIORITY = 1;
const MAX_PRIORITY = 2_097_151;

/** Converts a tag to a priority. A job without a tag predates tags and runs first. */
export function toPriority(tag: number | null | undefined, base: number): number {
  if (tag == null) return MIN_PRIORITY;
  const photosAhead = Math.ceil((tag - base) / UNITS_PER_PHOTO);
  return Math.min(MAX_PRIORITY, Math.max(MIN_PRIORITY, photosAhead));
}

/** True if tags are a million photos ahead of their base; the priorities suffice for as many again. */
export function isBaseFarBehind({ startedTag, base }: { startedTag: number; base: number }): boolean {
  return startedTag - base > 1_000_000 * UNITS_PER_PHOTO;
}

/** Orders the jobs of one process by start-time fair queueing; a shared store does the same in SQL. */
interface FairOrder {
  /** Returns the tag of an account's next job. */
  assignTag(accountId: string, cost: number): number;
  /** Charges a job's extra cost to its account, which delays the account's next jobs. */
  charge(accountId: string, cost: number): void;
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
    assignTag(accountId, cost) {
      const tag = Math.max(tags.get(accountId) ?? 0, startedTag) + cost;
      tags.set(accountId, tag);
      return tag;
    },
    charge(accountId, cost) {
      tags.set(accountId, Math.max(tags.get(accountId) ?? 0, startedTag) + cost);
    },
    markStarted(tag) {
      startedTag = Math.max(startedTag, tag);
    },
    prune() {
      for (const [accountId, tag] of tags) if (tag <= startedTag) tags.delete(accountId);
    },
  };
}
