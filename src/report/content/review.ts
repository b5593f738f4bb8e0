import { Nullable } from '../../contract/common.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { RepairVerdictSchema, type Review } from '../../contract/review.ts';
import { fits } from '../../lib/check.ts';
import { Type } from '../../lib/type.ts';
import { ABSENT, formatDateTime, formatMoney } from '../figures.ts';
import {
  DECISION_WORDS,
  describeDamage,
  describeFindingPart,
  describeLine,
  describePart,
  humanise,
} from '../words.ts';
import { makeHeading, makeParagraph, makeTable, type Section } from './blocks.ts';

/** Builds the review section: reviewer, time, changed, added and rejected findings; null without a review. */
export function writeReview({ inspection }: Result): Section | null {
  const review = readReview(inspection);
  if (!review) return null;
  const { reviewer, reviewed_at: at, decisions, not_reviewed: unreviewed } = review;
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
        describeFinding(original),
        note === undefined ? describeFinding(corrected) : `${describeFinding(corrected)}. ${note}`,
      ],
    }));
  return {
    id: 'review',
    title: 'Review',
    blocks: [
      makeParagraph(
        `Reviewed ${formatDateTime(at)}${reviewer ? ` by ${reviewer}` : ''}. ${counts || 'No finding was decided on'}.${unreviewed.length > 0 ? ` Not reviewed: ${unreviewed.length}.` : ''}`,
      ),
      ...(rows.length > 0
        ? [
            makeHeading('Changed, added and rejected'),
            makeTable(
              [
                { title: 'Decision', share: 14 },
                { title: 'Finding', share: 26 },
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

/** Lists the price overrides and the decisions on expected operations, one sentence each. */
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

/** Formats the reviewer and time, `reviewed by Jane Doe 2026-11-20 09:30 UTC`; null without a review. */
export function describeReviewer({ inspection }: Result): string | null {
  const review = readReview(inspection);
  if (!review) return null;
  return `reviewed${review.reviewer ? ` by ${review.reviewer}` : ''} ${formatDateTime(review.reviewed_at)}`;
}

function describeFinding(finding: Review['decisions'][number]['original']): string {
  if (!finding) return ABSENT;
  return `${humanise(finding.severity)} ${describeDamage(finding.type, finding.subtype).toLowerCase()}, ${describeFindingPart(finding.location)}`;
}

const Finding = Nullable(
  Type.Object({
    type: Type.String(),
    severity: Type.String(),
    location: Type.Object({ part: Type.String() }),
  }),
);
/** Fields of a stored review that the report uses. */
const KeptReviewSchema = Type.Object({
  reviewed_at: Type.String(),
  reviewer: Type.Optional(Type.String()),
  decisions: Type.Array(
    Type.Object({
      damage_id: Type.String(),
      decision: Type.String(),
      note: Type.Optional(Type.String()),
      original: Finding,
      corrected: Finding,
    }),
  ),
  repair: Type.Optional(Type.Array(RepairVerdictSchema)),
  not_reviewed: Type.Array(Type.String()),
});

/** Returns the stored review if it matches the schema, otherwise null; result files are untrusted input. */
function readReview(inspection: InspectionEnvelope | null): Review | null {
  const { review } = (inspection ?? {}) as { review?: unknown };
  return fits(KeptReviewSchema, review) ? (review as unknown as Review) : null;
}
