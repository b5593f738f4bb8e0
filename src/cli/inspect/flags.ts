import type { FlagsOf } from '../terminal/options.ts';
import { makeRequestError } from '../terminal/usage-errors.ts';

/** Parsed flags of `vehi inspect`. */
export type InspectFlags = FlagsOf<'inspect'>;

/** Flags that apply only to a fleet. */
const FLEET_ONLY = [
  ['resume', '--resume'],
  ['shard', '--shard'],
] as const satisfies readonly (readonly [keyof InspectFlags, string])[];

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
  if (flags.many !== undefined) return true;
  const fleetFlag = FLEET_ONLY.find(([name]) => flags[name] !== undefined)?.[1];
  if (fleetFlag === undefined) return false;
  throw makeRequestError(
    `${fleetFlag} is for many vehicles.`,
    'Add --many FOLDER (each sub-folder a vehicle) or --many list.csv, or leave it out.',
  );
}
