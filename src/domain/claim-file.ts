import type { Equipment, Paint, STATED_CLASSES } from './vehicle.ts';
import type { VinCheck } from './vin.ts';

/** What files a report in a claim; every field is absent where it was not given. Names are those of the JSON. */
export interface ClaimFacts {
  readonly claim_number?: string;
  readonly policy_number?: string;
  readonly insured?: string;
  /** `2026-11-02` */
  readonly loss_date?: string;
  readonly loss_kind?: string;
  readonly inspector?: string;
}

/** Names of the facts of a claim. */
export const CLAIM_FIELDS = [
  'claim_number',
  'policy_number',
  'insured',
  'loss_date',
  'loss_kind',
  'inspector',
] as const satisfies readonly (keyof ClaimFacts)[];

/** Facts that identify a vehicle, besides those that price it. */
export const IDENTITY_FIELDS = ['vin', 'plate', 'odometer', 'paint_code'] as const;

/** A reading of the odometer, in the unit that it shows. */
export interface Odometer {
  readonly value: number;
  readonly unit: 'km' | 'mi';
}

/** Longest reading that is taken for one, in its unit. */
export const READING_MAX = 1e7;

export const KM_PER_MILE = 1.609344;

/** Returns a reading in whole kilometres. */
export function toKilometres({ value, unit }: Odometer): number {
  return Math.round(unit === 'mi' ? value * KM_PER_MILE : value);
}

/** What identifies the vehicle and what prices go by, with names as in the JSON. */
export interface IdentityFacts extends Equipment {
  readonly make?: string;
  readonly model?: string;
  readonly year?: number;
  readonly vin?: string;
  readonly vin_check_digit?: VinCheck;
  readonly plate?: string;
  readonly odometer?: Odometer;
  readonly paint_code?: string;
  readonly class?: (typeof STATED_CLASSES)[number];
  readonly paint?: Paint;
}

/** The two blocks together. */
export interface ClaimFile {
  readonly claim?: ClaimFacts;
  readonly vehicle?: IdentityFacts;
}

/** Returns two files in one: single facts of the second outrank those of the first. */
export function mergeFiles(first: ClaimFile, second: ClaimFile): ClaimFile {
  const claim = { ...first.claim, ...second.claim };
  const vehicle = { ...first.vehicle, ...second.vehicle };
  return {
    ...(Object.keys(claim).length > 0 ? { claim } : {}),
    ...(Object.keys(vehicle).length > 0 ? { vehicle } : {}),
  };
}
