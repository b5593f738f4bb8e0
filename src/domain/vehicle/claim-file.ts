import { pick } from '../../lib/objects.ts';
import type { Equipment, Paint, STATED_CLASSES } from './vehicle.ts';
import { checkVin, type VinCheck } from './vin.ts';

/** Facts of a claim, with the names of the JSON; the date is `2026-11-02`. */
export const CLAIM_FIELDS = [
  'claim_number',
  'policy_number',
  'insured',
  'loss_date',
  'loss_kind',
  'inspector',
] as const;
/** Claim that a report is filed under; absent fields were not given. */
export type ClaimFacts = { readonly [F in (typeof CLAIM_FIELDS)[number]]?: string };

/** Facts that identify a vehicle, in addition to its pricing facts. */
export const IDENTITY_FIELDS = ['vin', 'plate', 'odometer', 'paint_code'] as const;

/** Facts that photos can show, and those derived from them: a VIN also yields make and year. */
export const READ_FACTS = ['plate', 'vin', 'odometer'] as const;
export const FACTS_FROM_PHOTOS = [...READ_FACTS, 'make', 'year'] as const;

/** An odometer reading in its displayed unit. */
export interface Odometer {
  readonly value: number;
  readonly unit: 'km' | 'mi';
}

/** Maximum plausible reading, in its unit, and maximum mileage in km. */
export const MAX_ODOMETER = 1e7;

export const KM_PER_MILE = 1.609344;

/** Converts a reading to whole kilometers, at most the maximum of a mileage. */
export function toKilometers({ value, unit }: Odometer): number {
  return Math.min(Math.round(unit === 'mi' ? value * KM_PER_MILE : value), MAX_ODOMETER);
}

/** Vehicle identity and pricing facts, with the names of the JSON. */
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
  /** Names of the facts read in photos that nobody stated. */
  readonly read?: (typeof FACTS_FROM_PHOTOS)[number][];
}

/** Picks the facts that identify a vehicle and adds the result of its VIN's check digit. */
export function pickIdentity(vehicle: Pick<IdentityFacts, (typeof IDENTITY_FIELDS)[number]>): IdentityFacts {
  const { vin } = vehicle;
  return {
    ...pick(vehicle, IDENTITY_FIELDS),
    ...(vin === undefined ? {} : { vin_check_digit: checkVin(vin) }),
  };
}

/** Claim and vehicle of a report. */
export interface ClaimFile {
  readonly claim?: ClaimFacts;
  readonly vehicle?: IdentityFacts;
}

/** Merges two files; every fact of the second, read or stated, overrides that of the first. */
export function mergeClaimFiles(first: ClaimFile, second: ClaimFile): ClaimFile {
  const claim = { ...first.claim, ...second.claim };
  const { read: earlier, ...known } = first.vehicle ?? {};
  const read = second.vehicle?.read ?? earlier?.filter((fact) => second.vehicle?.[fact] === undefined);
  const vehicle = { ...known, ...second.vehicle, ...(read && read.length > 0 ? { read } : {}) };
  return {
    ...(Object.keys(claim).length > 0 ? { claim } : {}),
    ...(Object.keys(vehicle).length > 0 ? { vehicle } : {}),
  };
}
