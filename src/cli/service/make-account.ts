import type { Account } from '../../storage/ports.ts';

/** Makes an active account with the limits of its plan. */
export const makeAccount = (of: Pick<Account, 'id' | 'name' | 'plan'>, now: Date): Account => ({
  ...of,
  status: 'active',
  requestsPerHour: null,
  concurrentRequests: null,
  createdAt: now.toISOString(),
});
