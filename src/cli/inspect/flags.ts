import type { FlagsOf } from '../terminal/options.ts';
import { makeRequestError } from '../terminal/usage-errors.ts';

/** Parsed flags of `vehi inspect`. */
export type InspectFlags = FlagsOf<'inspect'>;

/** Rejects estimate flags without an estimate, or for a fleet. @throws VehiError kind `usage` */
export function checkEstimateFlags(flags: InspectFlags): void {
  const given = flags.edit ? '--edit' : flags.settlement ? '--settlement' : undefined;
  if (given !== undefined && !flags.assess)
    throw makeRequestError(`${given} changes an estimate, and none is made.`, 'Add --assess.');
  if (flags.edit && isFleet(flags))
    throw makeRequestError(
      '--edit changes the estimate of one vehicle.',
      'Inspect the vehicles first, then change each estimate with vehi assess RESULT --edit.',
    );
}

/**
 * Returns true if the flags select a fleet.
 * @throws VehiError kind `usage` for a fleet-only flag without a fleet
 */
export function isFleet(flags: InspectFlags): boolean {
  if (flags.many === undefined && flags.resume !== undefined)
    throw makeRequestError(
      '--resume is for many vehicles.',
      'Add --many FOLDER (each sub-folder a vehicle) or --many list.csv, or leave it out.',
    );
  return flags.many !== undefined;
}
