import type { Environment } from '../../domain/account.ts';

/** Finished jobs of an account on one day (UTC), including records removed later. */
export interface UsageDay {
  /** `2026-01-31`. */
  readonly day: string;
  /** Visual inspections with a result, and their photos. */
  readonly inspections: number;
  readonly photos: number;
  /** Visual inspections without a result. */
  readonly failed: number;
  readonly assessments: number;
}

export interface UsageStore {
  /** Returns days with jobs, oldest first; both ends inclusive. */
  listDays(accountId: string, environment: Environment, from: string, to: string): Promise<UsageDay[]>;
}
