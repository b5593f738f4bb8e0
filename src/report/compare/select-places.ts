import { isUnphotographed } from '../../engine/compare/carry-over.ts';
import { type ComparedPlace, type Comparison, pickFinding } from '../../engine/compare/comparison.ts';
import { groupBy } from '../../lib/lists.ts';
import { namePhoto } from '../figures.ts';

/**
 * Returns true for a place shown side by side, because a person must judge it: changed, inconclusive, decided, or a
 * place to check of the later visit that both visits show. Others are rows, or photos to repeat.
 */
export function isPair(place: ComparedPlace): boolean {
  const { change, decided, after, boxes } = place;
  if (decided) return true;
  if (change === 'to_check') return after !== null && boxes !== null;
  return change !== 'unchanged' && !isToPhotograph(place);
}

/** Sorts places by row: those that the later visit lists by number, then those of the earlier one. */
export const sortByRow = (places: readonly ComparedPlace[]): readonly ComparedPlace[] =>
  places.toSorted(
    (a, b) =>
      Number(a.after === null) - Number(b.after === null) || pickFinding(a).number - pickFinding(b).number,
  );

/** Lists the damages known before that no later photo shows. */
export const listUnseen = ({ places }: Comparison): readonly ComparedPlace[] =>
  sortByRow(places.filter(isToPhotograph));

/** Returns true for damage known before that no photo of the later visit shows. */
export const isToPhotograph = (place: ComparedPlace): boolean =>
  !place.decided && place.certain && !place.after && isUnphotographed(place);

/** Lists the photos of the earlier visit to repeat, each with the rows of the damages that no later photo shows. */
export function listToRepeat(comparison: Comparison) {
  const { images } = comparison.before.data;
  const byPhoto = groupBy(listUnseen(comparison), (place) => pickFinding(place).image_url);
  return [...byPhoto].map(([url, places]) => ({
    photo: namePhoto(url, images),
    rows: places.map(({ row }) => row),
  }));
}
