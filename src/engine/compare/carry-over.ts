import type { ComparisonAnswer } from '../../contract/comparison.ts';
import type { Damage, InspectionEnvelope } from '../../contract/inspection.ts';
import type { ComparedPlace, Comparison } from './comparison.ts';

/** Status of a damage that was certain at handover. */
export type KnownStatus = ComparisonAnswer['data']['known'][number]['status'];

/** Lists the certain damages of an inspection in the order of its report. */
export const listCertain = ({ data }: InspectionEnvelope): readonly Damage[] =>
  [...(data.results?.damages ?? [])].sort((a, b) => a.number - b.number);

/** Lists the damages that were certain at handover with their status, in the order of its report. */
export function listKnown({ before, places }: Pick<Comparison, 'before' | 'places'>) {
  return listCertain(before).flatMap((damage) => {
    const place = places.find((one) => one.before?.damage_id === damage.damage_id);
    return place ? [{ damage, status: toStatus(place), place }] : [];
  });
}

function toStatus(place: ComparedPlace): KnownStatus {
  if (place.change === 'unchanged') return 'seen_again';
  if (place.change === 'repaired') return 'gone';
  if (place.change === 'changed') return 'changed';
  return isUnphotographed(place) ? 'not_photographed' : 'cannot_tell';
}

/** Returns true if no photo of the other visit shows the part, or none from the view of the finding. */
export const isUnphotographed = ({ change, rule }: ComparedPlace): boolean =>
  change === 'not_photographed' || rule === 'no_same_view';
