import type { NextPhoto } from '../contract/inspection-grounds.ts';

/** What to photograph, as a line: several places that are asked for in the same words are one. */
interface NextPhotoLine {
  /** `3`, or `3–8` for several. */
  readonly order: string;
  /** With a no-break space before the unit: `a photo each of the hood and the left front door, 0.6 m: a possible damage that a closer photo decides` */
  readonly words: string;
}

/** Returns `the hood, the roof and the left front door`. */
function joinPlaces(places: readonly string[]): string {
  return `${places.slice(0, -1).join(', ')} and ${places.at(-1)}`;
}

/** Returns the photos asked for as lines, in their order. */
export function describeNextPhotos(next: readonly NextPhoto[]): readonly NextPhotoLine[] {
  const groups: { first: number; last: number; places: string[]; rest: string }[] = [];
  for (const { order, message, distance_m: distance } of next) {
    const end = message.indexOf(`, ${distance} m`);
    const [place, tail] = end < 0 ? [message, ''] : [message.slice(0, end), message.slice(end)];
    const rest = tail.replace(' m', '\u00A0m');
    const before = groups.at(-1);
    if (before && rest !== '' && before.rest === rest) {
      before.places.push(place);
      before.last = order;
    } else groups.push({ first: order, last: order, places: [place], rest });
  }
  return groups.map(({ first, last, places, rest }) => ({
    order: first === last ? `${first}` : `${first}–${last}`,
    words: places.length > 1 ? `a photo each of ${joinPlaces(places)}${rest}` : `${places.join('')}${rest}`,
  }));
}

/** Photos that are asked for by name; more are counted. */
const MOST_NAMED = 4;

/**
 * Returns the photos asked for in one sentence, places to check as one: `Next photos: the 6 places to check from 0.6 m,
 * the roof from above.`; none where none is asked for.
 */
export function describeNextPhotosInOne(next: readonly NextPhoto[]): readonly string[] {
  const places = next.filter(({ code }) => code === 'place_to_check');
  const [first] = places;
  const check = first
    ? [
        `the ${places.length === 1 ? 'place' : `${places.length} places`} to check from ${first.distance_m}\u00A0m`,
      ]
    : [];
  const others = next
    .filter(({ code }) => code !== 'place_to_check')
    .map(({ message, distance_m: distance }) => {
      const place = message.split(`, ${distance} m`)[0] ?? message;
      return place.includes(' from ') ? place : `${place} from ${distance}\u00A0m`;
    });
  const all = [...check, ...others];
  const more = all.length - MOST_NAMED;
  const named = more > 0 ? [...all.slice(0, MOST_NAMED), `${more} more`] : all;
  return named.length === 0 ? [] : [`Next photos: ${named.join(', ')}.`];
}
