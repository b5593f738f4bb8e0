import type { Damage } from '../../contract/inspection.ts';
import type { ComparedPlace, Comparison } from '../../engine/compare/comparison.ts';
import { groupBy } from '../../lib/lists.ts';
import { namePhoto } from '../figures.ts';

/** Selects the finding that represents a compared location: the later one if both visits list one. */
export function pickFinding({ before, after }: ComparedPlace): Damage {
  const shown = after ?? before;
  if (shown === null) throw new Error('a compared place has a finding');
  return shown;
}

/**
 * Returns true for a location shown side by side, because a person must judge it: changed, inconclusive, decided, or a
 * place to check of the later visit that both visits show. Others are rows, or photos to repeat.
 */
export function isPair(place: ComparedPlace): boolean {
  const { change, decided, after, boxes } = place;
  if (decided) return true;
  if (change === 'to_check') return after !== null && boxes !== null;
  return change !== 'unchanged' && !isToPhotograph(place);
}

/** Lists the damages known before that no later photo shows. */
export const listUnseen = ({ places }: Comparison): readonly ComparedPlace[] =>
  places.filter(isToPhotograph).sort((a, b) => pickFinding(a).number - pickFinding(b).number);

/** Returns true for damage known before that no photo of the later visit shows. */
export function isToPhotograph({ change, rule, certain, after, decided }: ComparedPlace): boolean {
  return !decided && certain && !after && (change === 'not_photographed' || rule === 'no_same_view');
}

/** Lists the photos of the earlier visit to repeat, each with the rows of the damages that no later photo shows. */
export function listToRepeat(comparison: Comparison) {
  const { images } = comparison.before.data;
  const byPhoto = groupBy(listUnseen(comparison), (place) => pickFinding(place).image_url);
  return [...byPhoto].map(([url, places]) => ({
    photo: namePhoto(url, images),
    rows: places.map(({ row }) => row),
  }));
}
