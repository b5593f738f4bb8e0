import { VehiError } from '../lib/errors.ts';
import type { Setting, Settings } from './settings.ts';

/** Confidences that somebody set instead of the models' own, shares from 0 to 1. */
export interface OwnLimits {
  readonly certain?: number;
  readonly toCheck?: number;
}

/** Returns a setting as a number, null where it is not set. */
export function readNumber({ value }: Setting): number | null {
  return value === null ? null : Number(value);
}

/**
 * Returns the limits that are set; undefined where none is.
 * @throws VehiError usage where certain finds would begin below those to check, naming both settings.
 */
export function readOwnLimits(settings: Settings): OwnLimits | undefined {
  const [certain, toCheck] = [readNumber(settings.certain_from), readNumber(settings.to_check_from)];
  if (certain === null && toCheck === null) return undefined;
  if (certain !== null && toCheck !== null && certain < toCheck)
    throw new VehiError(
      'usage',
      'CONFIG_INVALID',
      `certain_from is ${certain} (${settings.certain_from.from}) and to_check_from ${toCheck} (${settings.to_check_from.from}); certain_from must not be the lower one.`,
      {
        field: 'certain_from',
        hint: 'Raise certain_from or lower to_check_from: vehi config list --sources',
      },
    );
  return { ...(certain === null ? {} : { certain }), ...(toCheck === null ? {} : { toCheck }) };
}
