import { parseFailOn } from '../../config/fail-on.ts';
import { VehiError } from '../../lib/errors.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { makeNoStandardError, makeRequestError } from '../terminal/usage-errors.ts';

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

/** Rejects flags of a comparison without a baseline, and a baseline for a fleet. @throws VehiError kind `usage` */
export function checkBaseline(flags: InspectFlags): void {
  const { baseline, decide, standard, failOn } = flags;
  if (baseline !== undefined && isFleet(flags))
    throw makeRequestError(
      '--baseline compares one vehicle.',
      'Inspect them, --many FOLDER --output results, then compare each: vehi compare BEFORE.json results/VEHICLE.json',
    );
  if (decide !== undefined && baseline === undefined)
    throw new VehiError('usage', 'INVALID_REQUEST', '--decide decides the rows of a comparison.', {
      field: 'decide',
      hint: 'Add --baseline HANDOVER.json (or the id of a saved result).',
    });
  if (standard !== undefined && isFleet(flags))
    throw new VehiError('usage', 'INVALID_REQUEST', '--standard judges one vehicle.');
  const conditions = failOn === undefined ? undefined : parseFailOn(failOn);
  if (standard === undefined && conditions?.failOnChargeable) throw makeNoStandardError();
  const change = baseline === undefined && conditions?.failOnChange;
  if (change)
    throw new VehiError('usage', 'INVALID_REQUEST', `--fail-on ${change} needs an earlier inspection.`, {
      field: 'fail_on',
      hint: 'Add --baseline HANDOVER.json (or the id of a saved result).',
    });
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
