import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import type { Review } from '../../contract/review.ts';
import { ABSENT, formatDateTime, formatMoney } from '../figures.ts';
import {
  DECISION_WORDS,
  describeDamage,
  describeFindPart,
  describeLine,
  describePart,
  humanise,
} from '../words.ts';
import { makeHeading, makeParagraph, makeTable, type Section } from './blocks.ts';

/** Returns who reviewed what and when, and what was rejected; null for a result that nobody reviewed. */
export function writeReview({ inspection }: Result): Section | null {
  const review = readReview(inspection);
  if (!review) return null;
  const { reviewer, reviewed_at: at, decisions, not_reviewed: left } = review;
  const count = (decision: keyof typeof DECISION_WORDS) =>
    decisions.filter((one) => one.decision === decision).length;
  const counts = (['accept', 'change', 'merge', 'add', 'reject'] as const)
    .flatMap((word) => (count(word) > 0 ? [`${humanise(DECISION_WORDS[word])} ${count(word)}`] : []))
    .join(', ');
  const repair = describeRepair(review.repair ?? [], inspection);
  const rows = decisions
    .filter(({ decision, note }) => decision !== 'accept' || note !== undefined)
    .map(({ damage_id: id, decision, original, corrected, note }) => ({
      cells: [
        humanise(DECISION_WORDS[decision] ?? decision),
        id,
        findWords(original),
        note === undefined ? findWords(corrected) : `${findWords(corrected)}. ${note}`,
      ],
    }));
  return {
    id: 'review',
    title: 'Review',
    blocks: [
      makeParagraph(
        `Reviewed ${formatDateTime(at)}${reviewer ? ` by ${reviewer}` : ''}. ${counts || 'No find was decided on'}.${left.length > 0 ? ` Not reviewed: ${left.length}.` : ''}`,
      ),
      ...(rows.length > 0
        ? [
            makeHeading('Changed, added and rejected'),
            makeTable(
              [
                { title: 'Decision', share: 14 },
                { title: 'Find', share: 26 },
                { title: 'As found', share: 30 },
                { title: 'As reviewed', share: 30 },
              ],
              rows,
            ),
          ]
        : []),
      ...(repair.length > 0
        ? [makeHeading('Decided on the repair'), ...repair.map((text) => makeParagraph(text, 'item'))]
        : []),
    ],
  };
}

/** Returns in a sentence each which prices were set, and which usual operations are part of the repair or not. */
function describeRepair(
  repair: NonNullable<Review['repair']>,
  inspection: InspectionEnvelope | null,
): readonly string[] {
  const { results } = inspection?.data ?? {};
  const currency = results?.repair_cost.currency ?? '';
  const operations = results?.expected_operations ?? [];
  return repair.map((one) => {
    const note = one.note === undefined ? '' : ` ${one.note}`;
    if (one.decision === 'price')
      return `${describePart(one.line)}: price set to ${formatMoney(one.cost, currency)}, computed ${formatMoney(one.computed, currency)}.${note}`;
    const found = operations.find(({ line_id: id }) => id === one.line_id);
    const name = found ? `${found.operation} ${describeLine(found)}` : one.line_id;
    return `${name}: ${one.decision === 'include' ? 'included in full' : 'left out'}.${note}`;
  });
}

/** Returns `reviewed by Jane Doe 2026-11-20 09:30 UTC`; null for a result that nobody reviewed. */
export function describeReviewer({ inspection }: Result): string | null {
  const review = readReview(inspection);
  if (!review) return null;
  return `reviewed${review.reviewer ? ` by ${review.reviewer}` : ''} ${formatDateTime(review.reviewed_at)}`;
}

function findWords(find: Review['decisions'][number]['original']): string {
  if (!find) return ABSENT;
  return `${humanise(find.severity)} ${describeDamage(find.type, find.subtype).toLowerCase()}, ${describeFindPart(find.location)}`;
}

/** Returns the review of a result if it has the right form: the file may have come from anywhere. */
function readReview(inspection: InspectionEnvelope | null): Review | null {
  const { review } = (inspection ?? {}) as { review?: Partial<Review> };
  const isWhole =
    typeof review?.reviewed_at === 'string' &&
    (review.reviewer === undefined || typeof review.reviewer === 'string') &&
    Array.isArray(review.decisions) &&
    Array.isArray(review.not_reviewed) &&
    isRepair(review.repair) &&
    review.decisions.every(
      (one) =>
        typeof one?.damage_id === 'string' &&
        typeof one.decision === 'string' &&
        (one.note === undefined || typeof one.note === 'string') &&
        [one.original, one.corrected].every(
          (find) =>
            !find ||
            (typeof find.type === 'string' &&
              typeof find.severity === 'string' &&
              typeof find.location?.part === 'string'),
        ),
    );
  return isWhole ? (review as Review) : null;
}

/** Returns whether the decisions on the repair have the right form. */
const isRepair = (repair: unknown): boolean =>
  repair === undefined ||
  (Array.isArray(repair) &&
    repair.every(
      (one) =>
        (one?.note === undefined || typeof one.note === 'string') &&
        (one?.decision === 'price'
          ? typeof one.line === 'string' && typeof one.cost === 'number' && typeof one.computed === 'number'
          : typeof one?.line_id === 'string'),
    ));
