import type { FlagsOf } from '../terminal/options.ts';
import { makeRequestError } from '../terminal/usage-errors.ts';

/** Parsed flags of `vehi inspect`. */
export type InspectFlags = FlagsOf<'inspect'>;

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
  if (flags.many !== undefined && flags.sort !== undefined)
    throw makeRequestError(
      '--sort is for the photos of one folder, and with --many each folder is a vehicle.',
      'Leave out one of them.',
    );
  return flags.many !== undefined;
}
