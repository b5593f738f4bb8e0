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

/** Returns the limits that are set; undefined where none is. */
export function readOwnLimits(settings: Settings): OwnLimits | undefined {
  const [certain, toCheck] = [readNumber(settings.certain_from), readNumber(settings.to_check_from)];
  if (certain === null && toCheck === null) return undefined;
  return {
    ...(certain === null ? {} : { certain }),
    ...(toCheck === null ? {} : { toCheck }),
  };
}
