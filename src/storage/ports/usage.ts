import type { Environment } from '../../domain/choices.ts';

/** Work of an account that ended on one day (UTC). What is removed later still counts. */
export interface UsageDay {
  /** `2026-01-31`. */
  readonly day: string;
  /** Visual inspections with a result, and their photos. */
  readonly inspections: number;
  readonly photos: number;
  /** Visual inspections that ended without one. */
  readonly failed: number;
  readonly assessments: number;
}

export interface UsageStore {
  /** Days with work, oldest first; both ends inclusive. */
  days(accountId: string, environment: Environment, from: string, to: string): Promise<UsageDay[]>;
}
