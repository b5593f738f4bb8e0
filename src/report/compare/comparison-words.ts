import type { Change, ComparedPair, Difference } from '../../domain/judge/compare.ts';
import type { Comparison, SeenDamage } from '../../engine/compare/comparison.ts';
import { ABSENT, formatMoneyRange, formatSize } from '../figures.ts';
import { describeDamage, describeFindPart, SEVERITY_WORDS } from '../words.ts';

export const CHANGE_WORDS = {
  new: 'New',
  worse: 'Worse',
  unchanged: 'Unchanged',
  repaired: 'Repaired',
  not_comparable: 'Not comparable',
} as const satisfies Record<Change, string>;

const REASON_WORDS = {
  severity: 'more severe',
  size: 'larger',
  type: 'different kind',
  part_not_seen: 'the part was not seen in the later photos',
  part_not_seen_before: 'the part was not seen in the earlier photos',
  same_photos: 'the same photos',
  other_models: 'different models',
  other_settings: 'different settings',
  photos_in_both: 'the other inspection has the same photos of it',
  to_check_before: 'listed to check before',
  to_check_after: 'listed to check after',
} as const satisfies Record<ComparedPair<SeenDamage>['reasons'][number], string>;

const DIFFERENCE_WORDS = {
  same_photos:
    'Both inspections are of the same photos, or one has all photos of the other: what differs is not a change of the vehicle.',
  other_models:
    'The inspections were made with different models or limits: damage that only one of them lists need not be new or repaired.',
  other_settings:
    'The inspections were made with different settings: damage that only one of them lists need not be new or repaired.',
} as const satisfies Record<Difference, string>;

/** Returns what the reader of a comparison must know first, a sentence each. */
export function listCautions({ before, after, differences }: Comparison): readonly string[] {
  const reviewed = [before, after].map((one) => 'review' in one);
  const places = [before, after].map(({ data }) => data.results?.to_check.length ?? 0);
  return [
    ...differences.map((one) => DIFFERENCE_WORDS[one]),
    ...(reviewed[0] === reviewed[1]
      ? []
      : [
          `Only the ${reviewed[0] ? 'earlier' : 'later'} inspection was reviewed by a person, who may have added what the models also missed in the other: review that as well.`,
        ]),
    ...(places.some((count) => count > 0)
      ? [`Places to check are not compared: ${places[0]} before, ${places[1]} after.`]
      : []),
  ];
}

/** Says that there is nothing to compare. */
export const NO_CERTAIN_DAMAGE = 'no certain damage before or after';

/** Returns the title of a pair: `New: Front door, left, dent`. */
export function titlePair({ change, before, after, reasons }: ComparedPair<SeenDamage>): string {
  const damage = (after ?? before)?.damage;
  if (!damage) return CHANGE_WORDS[change];
  const why = reasons.length > 0 ? ` (${reasons.map((reason) => REASON_WORDS[reason]).join(', ')})` : '';
  return `${CHANGE_WORDS[change]}: ${describeFindPart(damage.location)}, ${describeDamage(damage.type, damage.subtype).toLowerCase()}${why}`;
}

/** Returns the words shown for a damage that the other inspection does not list. */
export function describeAbsence({ change, reasons }: ComparedPair<SeenDamage>): string | undefined {
  if (change !== 'not_comparable') return undefined;
  if (reasons.includes('part_not_seen') || reasons.includes('part_not_seen_before')) return 'not in view';
  return reasons.includes('to_check_before') || reasons.includes('to_check_after')
    ? 'listed to check'
    : 'not listed';
}

/** Describes one side of a pair in one line: number, severity, size, cost. */
export function describeSighting(pair: ComparedPair<SeenDamage>, side: 'before' | 'after'): string {
  const one = pair[side];
  if (!one) return describeAbsence(pair) ?? ABSENT;
  const { number, severity, estimated_repair: repair } = one.damage;
  return [
    `no. ${number}`,
    SEVERITY_WORDS[severity].toLowerCase(),
    formatSize(one.damage),
    formatMoneyRange(repair.min, repair.max, repair.currency),
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}
