import type { Plan } from '../../domain/account.ts';
import { type JobLoad, UNITS_PER_PHOTO } from '../../storage/fair-order.ts';
import type { NoSlot } from './queue.ts';

/** Scheduling weights by plan; they matter only while several accounts have jobs waiting. */
export const PLAN_WEIGHTS: Readonly<Record<Plan, JobLoad['weight']>> = {
  free: 1,
  starter: 2,
  professional: 4,
  enterprise: 8,
};

/** Maximum fraction of the queue that one account may fill. */
const MAX_ACCOUNT_SHARE = 1 / 2;

/** Highest priority value of BullMQ; 0 means no priority and runs first. */
const MAX_PRIORITY = 2_097_151;

/** Returns why a queue of `limit` has no slot for another job, given the slots held by all and by the job's account. */
export function findNoSlot(limit: number, held: number, heldByAccount: number): NoSlot | undefined {
  if (held >= limit) return { refused: 'queue' };
  const accountLimit = Math.max(1, Math.floor(limit * MAX_ACCOUNT_SHARE));
  return heldByAccount >= accountLimit ? { refused: 'account', limit: accountLimit } : undefined;
}

/** Converts a tag to a priority of BullMQ, in photos. */
export const toPriority = (tag: number | null | undefined): number =>
  Math.min(MAX_PRIORITY, Math.max(1, Math.ceil((tag ?? 0) / UNITS_PER_PHOTO)));

/** Returns true if all running jobs are one account's and the next is another's, which may then start in addition. */
export function mayStartExtra(accountId: string, running: Iterable<string>): boolean {
  const accounts = new Set(running);
  return accounts.size === 1 && !accounts.has(accountId);
}
