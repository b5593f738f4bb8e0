/** Costs are in eighths of a photo, so every weight divides them. */
export const UNITS_PER_PHOTO = 8;

/** Tags of unfinished jobs; null if there is none. */
export interface UnfinishedTags {
  /** Highest tag of the account's own jobs. */
  readonly own: number | null;
  /** Highest tag of all jobs that have started. */
  readonly started: number | null;
  /** Lowest tag of all jobs that wait. */
  readonly next: number | null;
}

/**
 * Returns the tag of an account's next job; the smallest tag runs next. It follows the account's own unfinished jobs
 * or, without any, the last started job, before the next of equal size. Tags restart at 0 when nothing is unfinished.
 */
export function computeTag({ own, started, next }: UnfinishedTags, cost: number): number {
  if (own !== null) return own + cost;
  const position = Math.min(started ?? Number.POSITIVE_INFINITY, next ?? Number.POSITIVE_INFINITY);
  return (Number.isFinite(position) ? position : 0) + Math.max(0, cost - UNITS_PER_PHOTO);
}
