import type { Damage, InspectionEnvelope } from '../../contract/inspection.ts';
import { VISITS, type VisitName } from '../../domain/compare/changes.ts';
import type { ComparedPlace, Comparison } from '../../engine/compare/comparison.ts';
import { namePhoto } from '../figures.ts';
import { english, type Translator } from '../translator.ts';
import { humanize } from '../words.ts';
import { PLACE_DECISION_WORDS } from './comparison-words.ts';

/** Formats the resolution of a photo at the vehicle, in two significant digits: `0.34 cm per pixel`. */
export function formatScale(cmPerPixel: number, t = english): string {
  return t`${t.figure(String(Number(cmPerPixel.toPrecision(2))))} cm per pixel`;
}

/** Explains the verdict on a place: the reviewer's decision first, then what the photos show. */
export function explainPlace(place: ComparedPlace, comparison: Comparison, t = english): string {
  const { decided } = place;
  const shown = explainByPhotos(place, comparison, t);
  if (!decided) return shown;
  const note = decided.note ? ` (${decided.note})` : '';
  const verdict = t.inText(t.word(humanize(decided.instead)));
  return t`decided by the reviewer: ${t.word(PLACE_DECISION_WORDS[decided.decision])}${note}. Photo evidence: ${verdict}, ${shown}`;
}

function explainByPhotos(place: ComparedPlace, comparison: Comparison, t: Translator): string {
  const [listed, other] = place.after ? (['after', 'before'] as const) : (['before', 'after'] as const);
  const shown = place.boxes?.[other];
  const photo = shown ? namePhoto(shown.photo.url, comparison[other].data.images) : '';
  const scale = shown?.photo.record?.cm_per_pixel;
  const shows =
    typeof scale === 'number'
      ? t`${photo} shows the place at ${formatScale(scale, t)}`
      : t`${photo} shows the place`;
  const points = t`${place.inliers} matching points`;
  const nameVisit = (visit: VisitName) => (visit === 'before' ? t`before` : t`after`);
  switch (place.rule) {
    case 'not_there':
      return t`${place.after ? t`not there before` : t`gone after`}: ${`${shows}, ${points}`}`;
    case 'partly_absent':
      if (place.before && place.after)
        return t`part of it looks the same, and part differs (${photo}, ${points})`;
      return place.after
        ? t`part of it was not there before (${photo}, ${points}); the rest looks the same`
        : t`part of it is gone after (${photo}, ${points}); the rest looks the same`;
    case 'different':
      return t`damage on both days, and the pictures differ (${photo}, ${points})`;
    case 'same_picture':
      return t`the place looks the same ${nameVisit(other)} (${photo}, ${points})`;
    case 'same_photo':
      return t`both inspections have this photo`;
    case 'to_check_on_both':
      return t`to check on both days`;
    case 'part_not_seen':
      return t`not photographed ${nameVisit(other)}`;
    case 'own_photo_unreadable':
      return t`its own photo ${nameVisit(listed)} could not be read`;
    case 'no_same_view':
      return other === 'before'
        ? t`no photo before shows the place from this view`
        : t`no photo after shows the place from this view`;
    case 'unclear':
      return VISITS.every((visit) => isListedCertain(place[visit], comparison[visit]))
        ? t`damage on both days; the pictures do not decide whether it changed (${photo})`
        : t`the photos do not decide: ${photo} shows the place with other surroundings or light`;
  }
}

const isListedCertain = (finding: Damage | null, { data }: InspectionEnvelope): boolean =>
  data.results?.damages.some(({ damage_id: id }) => id === finding?.damage_id) ?? false;
