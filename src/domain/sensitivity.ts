/** Listing sensitivity: `low` has the fewest false alarms on undamaged vehicles, `high` the fewest misses. */
export const SENSITIVITIES = ['low', 'default', 'high'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

/** Minimum confidences of certain findings and of places to check; 0 to 1. */
export interface Limits {
  readonly certain: number;
  readonly toCheck: number;
}
