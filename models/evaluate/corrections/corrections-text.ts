import { Chalk, type ColorSupportLevel } from 'chalk';
import { formatCount } from '../../../src/lib/format-count.ts';
import { formatPercent } from '../../../src/report/figures.ts';
import { renderPlainTable } from '../../../src/report/text/plain-table.ts';
import { describeDamage } from '../../../src/report/words.ts';
import type { Proposal } from './propose-limits.ts';
import type { CorrectionCounts, CorrectionsScore } from './score-corrections.ts';

const HEAD = [
  'Found as',
  'decided',
  'right',
  'accepted',
  'moved',
  'retyped',
  'changed',
  'merged',
  'rejected',
  'missed',
] as const;

/** Renders the scores of reviews and the proposed limits as text. */
export function renderCorrectionsText(
  score: CorrectionsScore,
  proposal: Proposal,
  color: ColorSupportLevel,
): string {
  const chalk = new Chalk({ level: color });
  const { vehicles, photos, completePhotos } = score;
  const row = (name: string, { right, ...of }: CorrectionCounts) => [
    name,
    String(of.decided),
    formatPercent(right),
    ...[of.accepted, of.moved, of.retyped, of.changed, of.merged, of.rejected, of.added].map(String),
  ];
  const table = renderPlainTable(
    HEAD,
    [
      ...score.classes.map((one) => row(describeDamage(one.type), one)),
      row('all', score.all),
      row('certain ones', score.certain),
      row('those to check', score.toCheck),
    ],
    { color, right: HEAD.slice(1) },
  );
  const missed =
    score.missed === null
      ? 'No photo was marked as complete, so the share of missed damage is unknown.'
      : `Of the damages in photos marked as complete, ${formatPercent(score.missed)} were missed.`;
  return [
    `${chalk.bold('Corrections')}  ${formatCount(vehicles, 'review')}, ${formatCount(photos, 'photo')}, ${completePhotos} of them marked as complete`,
    table,
    missed,
    describeProposal(proposal),
    '',
  ].join('\n\n');
}

function describeProposal(proposal: Proposal): string {
  if (proposal.limits === null) return `No limits are proposed: ${proposal.why}.`;
  const { limits, rightAbove, rightBetween } = proposal;
  return [
    `Limits for photos like these: certain from ${limits.certain} (${formatPercent(rightAbove)} right), to check from ${limits.toCheck} (${formatPercent(rightBetween)} right between the two):`,
    `  vehi config set certain_from ${limits.certain}`,
    `  vehi config set to_check_from ${limits.toCheck}`,
  ].join('\n');
}
