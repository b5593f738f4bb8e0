import type { NextPhoto } from '../contract/inspection-grounds.ts';
import { summarizeNames } from '../lib/format-count.ts';

/**
 * Formats the requested photos as one sentence, with the places to check combined: `the places to check from 0.6 m,
 * the roof from above.`; null if there are none. At most `maxNamed` are named, the others are counted.
 */
export function describeNextPhotos(
  next: readonly NextPhoto[],
  maxNamed = Number.POSITIVE_INFINITY,
): string | null {
  const places = next.filter(({ code }) => code === 'place_to_check');
  const [first] = places;
  const check = first
    ? [`the ${places.length === 1 ? 'place' : 'places'} to check from ${first.distance_m}\u00A0m`]
    : [];
  const others = next
    .filter(({ code }) => code !== 'place_to_check')
    .map(({ code, place, message, distance_m: distance }) => {
      // Results stored before the field `place` existed.
      if (place === undefined) return message;
      return code === 'part' ? place : `${place} from ${distance}\u00A0m`;
    });
  const all = [...check, ...others];
  return all.length === 0 ? null : `${summarizeNames(all, maxNamed)}.`;
}
