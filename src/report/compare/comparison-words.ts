import type { Damage, InspectionEnvelope } from '../../contract/inspection.ts';
import type { VisitName } from '../../domain/compare/changes.ts';
import { type KnownStatus, listKnown } from '../../engine/compare/carry-over.ts';
import {
  type ComparedPlace,
  type Comparison,
  pickFinding,
  type RowDecision,
} from '../../engine/compare/comparison.ts';
import { summarizeNames } from '../../lib/format-count.ts';
import { compact, groupBy } from '../../lib/lists.ts';
import { describeTableCost, sumTableCost } from '../content/repair.ts';
import { formatSize } from '../figures.ts';
import { english } from '../translator.ts';
import { describeDamageInText, describeFindingPart, humanize } from '../words.ts';
import { listToRepeat } from './select-places.ts';

/** Formats the number of a finding in the report of its visit: `4`, or `B4` for the earlier one. */
export function numberInVisit({ number }: Damage, visit: VisitName): string {
  return visit === 'before' ? `B${number}` : String(number);
}

/** Formats what became of a damage that was known before: `seen again`. */
export const sayStatus = (status: KnownStatus): string => humanize(status).toLowerCase();

/** Summarizes the status of the damages known before: `Known before: 2 seen again (B1, B4), 1 gone (B2)`. */
export function describeKnown(comparison: Comparison): string | undefined {
  const groups = groupBy(listKnown(comparison), ({ status }) => sayStatus(status));
  const said = [...groups].map(
    ([word, known]) =>
      `${known.length} ${word} (${known.map(({ damage }) => numberInVisit(damage, 'before')).join(', ')})`,
  );
  return said.length > 0 ? `Known before: ${said.join(', ')}` : undefined;
}

/** Sentence for a comparison without damages or places to check. */
export const sayNothingListed = (t = english): string =>
  t`No damage and no place to check in either inspection.`;

/** Formats the counts of changes and the cost of new damage: `1 new, $710 · 0 changed · 0 repaired`. */
export function describeCounts({ counts, places, after }: Comparison, t = english): string {
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
export function namePartAndDamage({ location, type, subtype }: Damage, t = english): string {
  return `${describeFindingPart(location, t)}, ${describeDamageInText(type, subtype, location.part, t)}`;
}

/** Names a compared place: `Front door, left, dent`, with `(to check)` unless its verdict already says so. */
export function describeComparedPlace(place: ComparedPlace, t = english): string {
  const isMarked = !place.certain && place.change !== 'to_check';
  const name = namePartAndDamage(pickFinding(place), t);
  return isMarked ? `${name} (${t`to check`})` : name;
}

/** Formats severity and size of a finding: `severe, ~39 cm`. */
export function describeSeverityAndSize(damage: Damage, t = english): string {
  const size = formatSize(damage);
  return compact([t.word(damage.severity), size && t.figure(size)]).join(', ');
}

/** Formats a finding on one line: severity, size, and cost as in its own inspection. */
export function describeExtentAndCost(damage: Damage, inspection: InspectionEnvelope, t = english): string {
  const cost = describeTableCost({ inspection, assessment: null }, damage.damage_id, t);
  return compact([describeSeverityAndSize(damage, t), cost]).join(', ');
}

/** Formats the date of an inspection: `2026-06-01`. */
export function formatInspectionDay({ data }: InspectionEnvelope): string {
  return data.created_at.slice(0, 10);
}

/** Formats the dates of both inspections: `2026-06-01 → 2026-06-08`, or one date if they are on the same day. */
export function formatVisits({ before, after }: Comparison): string {
  return [...new Set([before, after].map(formatInspectionDay))].join(' → ');
}

export const PLACE_DECISION_WORDS = {
  new: 'new',
  was_there: 'was there before',
  not_chargeable: 'not chargeable',
} as const satisfies Record<RowDecision['decision'], string>;

/** Names at most `max` photos to repeat, and counts the others: `Photograph again: left_side.jpg (B4, B7)`. */
export function describeToRepeat(comparison: Comparison, max: number): string {
  const photos = listToRepeat(comparison).map(({ photo, rows }) => `${photo} (${rows.join(', ')})`);
  return `Photograph again: ${summarizeNames(photos, max)}`;
}

/** Formats the change in condition grade over the places both visits show; undefined without a grade. */
export function describeGradeChange({ grade }: Comparison, t = english): string | undefined {
  if (!grade) return undefined;
  const [before, after] = [t.figure(grade.before.toFixed(1)), t.figure(grade.onSamePlaces.toFixed(1))];
  return t`Condition on the same places: ${before} → ${after}`;
}

/** Formats the number of unchanged places, and of those to check, as a sentence. */
export function describeUnchanged({ counts }: Comparison, t = english): string {
  const unchanged =
    counts.unchanged === 1 ? t`1 damage is unchanged` : t`${counts.unchanged} damages are unchanged`;
  if (counts.to_check === 0) return unchanged;
  const toCheck = counts.to_check === 1 ? t`1 place is to check` : t`${counts.to_check} places are to check`;
  return t`${unchanged}; ${toCheck}`;
}
