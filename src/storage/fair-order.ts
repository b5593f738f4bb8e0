/** Costs are in eighths of a photo, so every weight divides them. */
export const UNITS_PER_PHOTO = 8;

/** Load that a job puts on the service. */
export interface JobLoad {
  readonly photos: number;
  /** Of its account: one of weight 4 gets four times the throughput of one of weight 1. */
  readonly weight: 1 | 2 | 4 | 8;
}

/** Returns the amount by which a job raises its account's tag: its photos over the account's weight, in eighths. */
export const computeCost = ({ photos, weight }: JobLoad): number =>
  (Math.max(1, photos) * UNITS_PER_PHOTO) / weight;

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
 * Returns the tag of an account's next job; the smallest tag runs next. It follows the account's own unfinished jobs.
 * Without any, it counts from the last started or the next waiting job, whichever tag is lower, its cost less a photo.
 * Tags restart at 0 when nothing is unfinished.
 */
export function computeTag({ own, started, next }: UnfinishedTags, cost: number): number {
  if (own !== null) return own + cost;
  const position = Math.min(started ?? Number.POSITIVE_INFINITY, next ?? Number.POSITIVE_INFINITY);
  return (Number.isFinite(position) ? position : 0) + Math.max(0, cost - UNITS_PER_PHOTO);
}
