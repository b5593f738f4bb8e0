import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import type { RepairVerdict } from '../../contract/review.ts';
import { ABSENT, formatDateTime, formatMoney } from '../figures.ts';
import { readReview, type StoredFinding } from '../stored-review.ts';
import {
  DECISION_WORDS,
  describeDamage,
  describeFindingPart,
  describeLine,
  describePart,
  humanise,
} from '../words.ts';
import { makeHeading, makeParagraph, makeTable, type Section } from './blocks.ts';

/** Builds the review section: reviewer, time, decisions and remarks; null without a review. */
export function writeReview({ inspection }: Result): Section | null {
  const review = readReview(inspection);
  if (!review) return null;
  const { reviewer, reviewed_at: at, decisions, not_reviewed: unreviewed } = review;
  const count = (decision: keyof typeof DECISION_WORDS) =>
    decisions.filter((one) => one.decision === decision).length;
  const counts = (['accept', 'change', 'merge', 'add', 'reject'] as const)
    .flatMap((word) => (count(word) > 0 ? [`${humanise(DECISION_WORDS[word])} ${count(word)}`] : []))
    .join(', ');
  const repair = describeRepairDecisions(review.repair ?? [], inspection);
  const rows = decisions
    .filter(({ decision, note }) => decision !== 'accept' || note !== undefined)
    .map(({ decision, original, corrected, note }) => ({
      cells: [
        String((corrected ?? original)?.number ?? ABSENT),
        humanise(DECISION_WORDS[decision]),
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
            makeHeading('Decisions and remarks'),
            makeTable(
              [
                { title: 'No.', share: 8, align: 'right' },
                { title: 'Decision', share: 16 },
                { title: 'As found', share: 38 },
                { title: 'As reviewed', share: 38 },
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
function describeRepairDecisions(
  repair: readonly RepairVerdict[],
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

function describeFinding(finding: StoredFinding): string {
  if (!finding) return ABSENT;
  return `${humanise(finding.severity)} ${describeDamage(finding.type, finding.subtype, finding.location.part).toLowerCase()}, ${describeFindingPart(finding.location)}`;
}
