import type { Plan } from '../../domain/choices.ts';
import type { Account } from '../../storage/ports.ts';

/** Cost of work that is about to wait, and the weight of its account relative to others. */
export interface Share {
  readonly photos: number;
  readonly weight: Weight;
}

/** Of two accounts that always have work, one of weight 4 has four times as much of it done as one of weight 1. */
export type Weight = 1 | 2 | 4 | 8;

/** How much of the work is an account's while others have work too. */
const PLAN_WEIGHTS: Readonly<Record<Plan, Weight>> = { free: 1, starter: 2, professional: 4, enterprise: 8 };

/** Returns the weight of an account when work is shared out, by its plan. */
export function findWeight({ plan }: Account): Weight {
  return PLAN_WEIGHTS[plan];
}

/** Costs are in eighths of a photo, so that every weight divides them. */
const UNITS_PER_PHOTO = 8;

/** Returns the amount by which this work raises the tag of its account. */
export function computeCost({ photos, weight }: Share): number {
  return (Math.max(1, photos) * UNITS_PER_PHOTO) / weight;
}

/** Processor time that a photo counts for, twice that of an ordinary one; work that takes more is charged by its time. */
const SECONDS_PER_PHOTO = 1;

/** Returns what work costs its account beyond what it was counted with, by the processor time that it took. */
export function computeExtraCost({ photos, weight }: Share, seconds: number): number {
  const extra = seconds / SECONDS_PER_PHOTO - Math.max(1, photos);
  return extra > 0 ? Math.ceil(computeCost({ photos: extra, weight })) : 0;
}

/** What BullMQ takes as a priority; 0 would come before all. */
const PRIORITY_MIN = 1;
const PRIORITY_MAX = 2_097_151;

/** Returns the priority of work by its tag; work without one comes first, as it is older than tags. */
export function toPriority(tag: number | null | undefined, base: number): number {
  if (tag == null) return PRIORITY_MIN;
  const photosAhead = Math.ceil((tag - base) / UNITS_PER_PHOTO);
  return Math.min(PRIORITY_MAX, Math.max(PRIORITY_MIN, photosAhead));
}

/**
 * Returns whether tags are a million photos ahead of their base: an account may be as far ahead again before the
 * priorities run out.
 */
export function isBaseFarBehind({ begun, base }: { begun: number; base: number }): boolean {
  return begun - base > 1_000_000 * UNITS_PER_PHOTO;
}

/** Orders the work of one process by start-time fair queueing; a store of several processes does the same in SQL. */
interface FairOrder {
  /** The tag of further work of an account. */
  next(accountId: string, cost: number): number;
  /** Work of an account took more than it was counted with: what it has next comes later. */
  charge(accountId: string, cost: number): void;
  /** Work with this tag was started. */
  begin(tag: number): void;
  /** Forgets accounts that owe nothing, once nothing waits. */
  forget(): void;
}

/** Creates a fair order of work over accounts, in memory. */
export function createFairOrder(): FairOrder {
  const tags = new Map<string, number>();
  let begun = 0;
  return {
    next(accountId, cost) {
      const tag = Math.max(tags.get(accountId) ?? 0, begun) + cost;
      tags.set(accountId, tag);
      return tag;
    },
    charge(accountId, cost) {
      tags.set(accountId, Math.max(tags.get(accountId) ?? 0, begun) + cost);
    },
    begin(tag) {
      begun = Math.max(begun, tag);
    },
    forget() {
      for (const [accountId, tag] of tags) if (tag <= begun) tags.delete(accountId);
    },
  };
}
