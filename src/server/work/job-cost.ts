import type { Plan } from '../../domain/account.ts';
import type { Account } from '../../storage/ports.ts';

/** Size of a job in photos and the weight of its account. */
export interface JobSize {
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
export const UNITS_PER_PHOTO = 8;

/** Returns the amount by which a job raises the tag of its account, in eighths of a photo over the weight. */
export function computeCost({ photos, weight }: JobSize): number {
  return (Math.max(1, photos) * UNITS_PER_PHOTO) / weight;
}

/** Processor time budget per photo, twice that of an ordinary one; a job that exceeds it is charged by its time. */
const SECONDS_PER_PHOTO = 1;

/** Returns the cost of a job beyond its photo count, from the processor time it took; 0 if within budget. */
export function computeExtraCost({ photos, weight }: JobSize, seconds: number): number {
  const extraPhotos = seconds / SECONDS_PER_PHOTO - Math.max(1, photos);
  return extraPhotos > 0 ? Math.ceil(computeCost({ photos: extraPhotos, weight })) : 0;
}
