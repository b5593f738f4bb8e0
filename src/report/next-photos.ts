import type { NextPhoto } from '../contract/inspection-grounds.ts';
import { english, type Say, sayNames } from './say.ts';
import { describePart, humanize } from './words.ts';

/**
 * Formats the requested photos as one sentence, with the places to check combined: `the places to check from 0.6 m,
 * the roof from above.`; null if there are none. At most `maxNamed` are named, the others are counted.
 */
export function describeNextPhotos(
  next: readonly NextPhoto[],
  maxNamed = Number.POSITIVE_INFINITY,
  say: Say = english,
): string | null {
  const places = next.filter(({ code }) => code === 'place_to_check');
  const [first] = places;
  const check = first
    ? [
        places.length === 1
          ? say`the place to check from ${first.distance_m}\u00A0m`
          : say`the places to check from ${first.distance_m}\u00A0m`,
      ]
    : [];
  const others = next
    .filter(({ code }) => code !== 'place_to_check')
    .map(({ code, place, message, distance_m: distance, ...of }) => {
      // Results stored before the field `place` existed.
      if (place === undefined) return say.stored(message);
      const subject = say.code === 'en' ? place : nameSubject({ code, place, ...of }, say);
      return code === 'part' ? subject : say`${subject} from ${distance}\u00A0m`;
    });
  const all = [...check, ...others];
  return all.length === 0 ? null : `${sayNames(all, maxNamed, say)}.`;
}

/** Names the subject of a requested photo in the report's language: an area of the vehicle, or parts and the viewpoint. */
function nameSubject(
  { code, area, parts, place = '' }: Pick<NextPhoto, 'code' | 'area' | 'parts' | 'place'>,
  say: Say,
): string {
  if (code === 'view' && area !== null) return say.word(place);
  const names = parts.map((part) => describePart(part, say)).join(', ');
  if (code !== 'part' || area === null) return names;
  return area === 'top'
    ? say`${names} from above`
    : say`${names} from ${say.word(humanize(area).toLowerCase())}`;
}
