import type { Damage, InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import type { Change, VisitName } from '../../domain/compare/changes.ts';
import { type KnownStatus, listKnown } from '../../engine/compare/carry-over.ts';
import type { ComparedPlace, Comparison, RowDecision } from '../../engine/compare/comparison.ts';
import type { Difference } from '../../engine/compare/differences.ts';
import { hasRecord } from '../../engine/compare/differences.ts';
import { summarizeNames } from '../../lib/format-count.ts';
import { compact, groupBy } from '../../lib/lists.ts';
import { describeTableCost, sumTableCost } from '../content/repair.ts';
import { formatSize, namePhoto } from '../figures.ts';
import { english, listNames, type Translator } from '../translator.ts';
import { describeDamageInText, describeFindingPart } from '../words.ts';
import { listToRepeat, pickFinding } from './select-places.ts';

export const CHANGE_WORDS = {
  new: 'New',
  changed: 'Changed',
  repaired: 'Repaired',
  cannot_tell: 'Cannot tell',
  not_photographed: 'Not photographed',
  to_check: 'To check',
  unchanged: 'Unchanged',
} as const satisfies Record<Change, string>;

export const KNOWN_WORDS = {
  seen_again: 'seen again',
  changed: 'changed',
  gone: 'gone',
  cannot_tell: 'cannot tell',
  not_photographed: 'not photographed',
} as const satisfies Record<KnownStatus, string>;

/** Formats the number of a finding in the report of its visit: `4`, or `B4` for the earlier one. */
export function numberInVisit({ number }: Damage, visit: VisitName): string {
  return visit === 'before' ? `B${number}` : String(number);
}

/** Summarizes the status of the damages known before: `Known before: 2 seen again (B1, B4), 1 gone (B2)`. */
export function describeKnown(comparison: Comparison): string | undefined {
  const groups = groupBy(listKnown(comparison), ({ status }) => KNOWN_WORDS[status]);
  const said = [...groups].map(
    ([word, known]) =>
      `${known.length} ${word} (${known.map(({ damage }) => numberInVisit(damage, 'before')).join(', ')})`,
  );
  return said.length > 0 ? `Known before: ${said.join(', ')}` : undefined;
}

function describeDifference(
  difference: Exclude<Difference, 'same_photos'>,
  comparison: Comparison,
  t: Translator,
): string {
  switch (difference) {
    case 'other_models':
      return `${t`The inspections were made with different models or limits.`} ${t`Places are compared by their photos.`}`;
    case 'other_settings':
      return `${t`The inspections were made with different settings.`} ${t`Places are compared by their photos.`}`;
    case 'no_record':
      return t`${nameUnrecorded(comparison, t)} has no record of the parts in its photos: run vehi inspect on its photos again to compare more places.`;
    case 'no_photos':
      return t`Photos of these inspections were not found, so no change can be reported: name their folders with --photos-before and --photos-after.`;
  }
}

function describeCopies({ copies, after }: Comparison, t: Translator): string {
  const names = summarizePhotos(copies, after, t);
  return copies.length === 1
    ? t`${names} is in both inspections: the same file shows the same moment.`
    : t`${names} are in both inspections: the same file shows the same moment.`;
}

/** Lists the caveats that a reader of the comparison must see first, one sentence each. */
export function listCaveats(comparison: Comparison, t: Translator = english): readonly string[] {
  const { before, after, copies, differences } = comparison;
  const isReviewed = 'review' in before;
  return compact([
    ...differences
      .filter((one) => one !== 'same_photos')
      .map((one) => describeDifference(one, comparison, t)),
    ...describeUnreadable(comparison, t),
    copies.length > 0 && describeCopies(comparison, t),
    isReviewed !== 'review' in after &&
      (isReviewed
        ? t`Only the earlier inspection was reviewed by a person, who may have added what the models also missed in the other: review that as well.`
        : t`Only the later inspection was reviewed by a person, who may have added what the models also missed in the other: review that as well.`),
  ]);
}

function nameUnrecorded({ before, after }: Comparison, t: Translator): string {
  if (hasRecord(before.data)) return t`The later inspection`;
  return hasRecord(after.data) ? t`The earlier inspection` : t`Each of the two inspections`;
}

/** States why both inspections are considered to show the same vehicle. */
export function describeIdentity({ before, after }: Comparison, t: Translator = english): string {
  const [one, other] = [before.data.vehicle_id, after.data.vehicle_id];
  return one === other
    ? t`One vehicle is assumed from the id ${one}; plates and VINs in the photos are not compared.`
    : t`One vehicle is assumed although the ids differ: ${one}, then ${other}.`;
}

/** Names the unreadable photos, one sentence per visit and reason. */
function describeUnreadable(comparison: Comparison, t: Translator): string[] {
  const groups = groupBy(comparison.unreadable, ({ visit, reason }) => `${visit} ${reason}`);
  return [...groups.values()].flatMap((photos) => {
    const [first] = photos;
    if (!first) return [];
    const reason = t.stored(first.reason);
    const shown = photos.map(({ photo }) => photo);
    const names = summarizePhotos(shown, comparison[first.visit], t);
    const visit = first.visit === 'before' ? t`of the inspection before` : t`of the inspection after`;
    return photos.length === 1
      ? t`${names} ${visit} could not be read (${reason}): places that only it shows are not compared.`
      : t`${names} ${visit} could not be read (${reason}): places that only they show are not compared.`;
  });
}

/** Maximum number of photos listed by name; the others are counted. */
const MAX_NAMES = 3;

function summarizePhotos(photos: readonly Photo[], { data }: InspectionEnvelope, t: Translator): string {
  const names = photos.map(({ url }) => namePhoto(url, data.images));
  return listNames(names, MAX_NAMES, t);
}

/** Sentence for a comparison without damages or places to check. */
export const sayNothingListed = (t: Translator = english): string =>
  t`No damage and no place to check in either inspection.`;

/** Formats the counts of changes and the cost of new damage: `1 new, $710 · 0 changed · 0 repaired`. */
export function describeCounts({ counts, places, after }: Comparison, t: Translator = english): string {
  const charged = places.filter(
    ({ change, decided }) => change === 'new' && decided?.decision !== 'not_chargeable',
  );
  const cost = sumTableCost(
    { inspection: after, assessment: null },
    charged.flatMap((place) => place.after?.damage_id ?? []),
  );
  return [
    compact([t`${counts.new} new`, cost && t.figure(cost)]).join(', '),
    t`${counts.changed} changed`,
    t`${counts.repaired} repaired`,
  ].join(' · ');
}

/** Names a finding: `Front door, left, dent`. */
export function namePartAndDamage({ location, type, subtype }: Damage, t: Translator = english): string {
  return `${describeFindingPart(location, t)}, ${describeDamageInText(type, subtype, location.part, t)}`;
}

/** Names a compared location: `Front door, left, dent`, with `(to check)` unless its verdict already says so. */
export function describeComparedPlace(place: ComparedPlace, t: Translator = english): string {
  const isMarked = !place.certain && place.change !== 'to_check';
  const name = namePartAndDamage(pickFinding(place), t);
  return isMarked ? `${name} (${t`to check`})` : name;
}

/** Formats the title of a compared location: `2. New: Front door, left, dent`. */
export function formatPlaceTitle(place: ComparedPlace, t: Translator = english): string {
  return t`${`${place.row}. ${t.word(CHANGE_WORDS[place.change])}`}: ${describeComparedPlace(place, t)}`;
}

/** Formats severity and size of a finding: `severe, ~39 cm`. */
export function describeSeverityAndSize(damage: Damage, t: Translator = english): string {
  const size = formatSize(damage);
  return compact([t.word(damage.severity), size && t.figure(size)]).join(', ');
}

/** Formats a finding on one line: severity, size, and cost as in its own inspection. */
export function describeExtentAndCost(
  damage: Damage,
  inspection: InspectionEnvelope,
  t: Translator = english,
): string {
  const cost = describeTableCost({ inspection, assessment: null }, damage.damage_id, t);
  return compact([describeSeverityAndSize(damage, t), cost]).join(', ');
}

/** Formats the date of an inspection: `2026-06-01`. */
export function formatInspectionDay({ data }: InspectionEnvelope): string {
  return data.created_at.slice(0, 10);
}

/** Formats the dates of both inspections: `2026-06-01 → 2026-06-08`, or one date if they are on the same day. */
export function formatVisits({ before, after }: Comparison): string {
  const days = [before, after].map(formatInspectionDay);
  return [...new Set(days)].join(' → ');
}

export const PLACE_DECISION_WORDS = {
  new: 'new',
  was_there: 'was there before',
  not_chargeable: 'not chargeable',
} as const satisfies Record<RowDecision['decision'], string>;

/** Formats the resolution of a photo at the vehicle: `0.3 cm per pixel`. */
export function formatScale(cmPerPixel: number, t: Translator = english): string {
  return t`${t.figure(cmPerPixel.toFixed(1))} cm per pixel`;
}

/** Explains the verdict on a location: the reviewer's decision first, then the photo evidence. */
export function explainPlace(place: ComparedPlace, comparison: Comparison, t: Translator = english): string {
  const { decided } = place;
  const evidence = explainEvidence(place, comparison, t);
  if (!decided) return evidence;
  const note = decided.note ? ` (${decided.note})` : '';
  const verdict = t.inText(t.word(CHANGE_WORDS[decided.instead]));
  return t`decided by the reviewer: ${t.word(PLACE_DECISION_WORDS[decided.decision])}${note}. Photo evidence: ${verdict}, ${evidence}`;
}

function explainEvidence(place: ComparedPlace, comparison: Comparison, t: Translator): string {
  const { before, after } = comparison;
  const [listed, other] = place.after ? (['after', 'before'] as const) : (['before', 'after'] as const);
  const shown = place.boxes?.[other];
  const photo = shown ? namePhoto(shown.photo.url, comparison[other].data.images) : '';
  const scale = shown?.photo.record?.cm_per_pixel;
  const shows =
    typeof scale === 'number'
      ? t`${photo} shows the place at ${formatScale(scale, t)}`
      : t`${photo} shows the place`;
  const points = t`${place.inliers ?? 0} matching points`;
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
      return place.before &&
        place.after &&
        isListedCertain(place.before, before) &&
        isListedCertain(place.after, after)
        ? t`damage on both days; the pictures do not decide whether it changed (${photo})`
        : t`the photos do not decide: ${photo} shows the place with other surroundings or light`;
  }
}

/** Returns whether an inspection is certain of a finding. */
function isListedCertain({ damage_id: id }: Damage, { data }: InspectionEnvelope): boolean {
  return data.results?.damages.some(({ damage_id: one }) => one === id) ?? false;
}

/** Names at most `max` photos to repeat, and counts the others: `Photograph again: left_side.jpg (B4, B7)`. */
export function describeToRepeat(comparison: Comparison, max: number): string {
  const photos = listToRepeat(comparison).map(({ photo, rows }) => `${photo} (${rows.join(', ')})`);
  return `Photograph again: ${summarizeNames(photos, max)}`;
}

/** Formats the change in condition grade over the locations both visits show; undefined without a grade. */
export function describeGradeChange({ grade }: Comparison, t: Translator = english): string | undefined {
  if (!grade) return undefined;
  const [before, after] = [t.figure(grade.before.toFixed(1)), t.figure(grade.onSamePlaces.toFixed(1))];
  return t`Condition on the same places: ${before} → ${after}`;
}

/** Formats the number of unchanged locations, and of those to check, as a sentence. */
export function describeUnchanged({ counts }: Comparison, t: Translator = english): string {
  const unchanged =
    counts.unchanged === 1 ? t`1 damage is unchanged` : t`${counts.unchanged} damages are unchanged`;
  if (counts.to_check === 0) return unchanged;
  const toCheck = counts.to_check === 1 ? t`1 place is to check` : t`${counts.to_check} places are to check`;
  return t`${unchanged}; ${toCheck}`;
}
