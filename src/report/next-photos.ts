import type { NextPhoto } from '../contract/inspection-grounds.ts';
import { compact } from '../lib/lists.ts';
import { english, listNames, type Translator } from './translator.ts';
import { describePart, humanize } from './words.ts';

/**
 * Formats the requested photos as one sentence, with the places to check combined: `the places to check from 0.6 m,
 * the roof from above.`; null if there are none. At most `maxNamed` are named, the others are counted.
 */
export function describeNextPhotos(
  next: readonly NextPhoto[],
  maxNamed = Number.POSITIVE_INFINITY,
  t = english,
): string | null {
  const places = next.filter(({ code }) => code === 'place_to_check');
  const [first] = places;
  const check =
    first &&
    (places.length === 1
      ? t`the place to check from ${first.distance_m}\u00A0m`
      : t`the places to check from ${first.distance_m}\u00A0m`);
  const others = next
    .filter(({ code }) => code !== 'place_to_check')
    .map((one) => {
      const subject = t.code === 'en' ? one.place : nameSubject(one, t);
      return one.code === 'part' ? subject : t`${subject} from ${one.distance_m}\u00A0m`;
    });
  const all = compact([check, ...others]);
  return all.length === 0 ? null : `${listNames(all, maxNamed, t)}.`;
}

/** Names the subject of a requested photo in the report's language: an area of the vehicle, or parts and the viewpoint. */
function nameSubject({ code, area, parts, place }: NextPhoto, t: Translator): string {
  if (code === 'view' && area !== null) return t.word(place);
  const names = parts.map((part) => t.inText(describePart(part, t))).join(', ');
  if (code !== 'part' || area === null) return names;
  return area === 'top' ? t`${names} from above` : t`${names} from ${t.word(humanize(area).toLowerCase())}`;
}
