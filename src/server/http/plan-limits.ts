import type { Plan } from '../../domain/account.ts';
import type { Account } from '../../storage/ports.ts';

/** Limits that hold for an account; null means unlimited. */
export type Limits = Pick<Account, 'requestsPerHour' | 'concurrentRequests'>;

/** Limits of the contract ("Rate limits by plan"); "custom" = none unless set on the account. */
const PLAN_LIMITS: Readonly<Record<Plan, Limits>> = {
  free: { requestsPerHour: 1_000, concurrentRequests: 5 },
  starter: { requestsPerHour: 10_000, concurrentRequests: 20 },
  professional: { requestsPerHour: 100_000, concurrentRequests: 100 },
  enterprise: { requestsPerHour: null, concurrentRequests: null },
};

/** Returns the limits of an account: its plan's, overridden by its own. */
export function findLimits(account: Account): Limits {
  const plan = PLAN_LIMITS[account.plan];
  return {
    requestsPerHour: account.requestsPerHour ?? plan.requestsPerHour,
    concurrentRequests: account.concurrentRequests ?? plan.concurrentRequests,
  };
}
