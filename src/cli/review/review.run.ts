import { basename } from 'node:path';
import type { ReviewedEnvelope } from '../../contract/review-answers.ts';
import { makeUsageError, VehiError } from '../../lib/errors.ts';
import { toJsonText } from '../../lib/json.ts';
import { escapeName } from '../../lib/names.ts';
import { DECISION_WORDS } from '../../report/words.ts';
import { losesEdits, recomputeEstimate } from '../assess/recompute-estimate.ts';
import { parseOutput } from '../outputs/parse-output.ts';
import { type NamedFile, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { openRun } from '../outputs/run.ts';
import { readInspection, requirePhotoFolders } from '../results/result-source.ts';
import type { CliContext } from '../terminal/context.ts';
import { countColumns, write, writeFileWhole, writeStatus } from '../terminal/output.ts';
import { nameSource, readJson } from '../terminal/read-json.ts';
import { renderChangesText } from './changes-text.ts';
import { openReviewing, type ReviewFlags, type Reviewing } from './reviewing.ts';

const DECISIONS_FORM = 'a JSON list of {"damage_id", "decision": "accept", "reject" or "change"}';

/** Runs `vehi review`: takes decisions from the page or a file, then writes the corrected result. */
export async function runReview(source: string, flags: ReviewFlags, ctx: CliContext): Promise<void> {
  const { decisions: decisionsFile, reviewer = '' } = flags;
  if (decisionsFile === undefined) requireTerminal(ctx, flags.open);
  if (source === '-' && (decisionsFile === undefined || decisionsFile === '-')) {
    const hint = 'Name the file of the result, or give --decisions FILE.';
    throw makeUsageError('stdin cannot hold both the result and the decisions.', hint);
  }
  await requirePhotoFolders({ '--photos': flags.photos }, ctx);
  const found = await readInspection(source, ctx);
  const output = chooseOutput(source, flags);
  const run = await openRun(flags, ctx);
  await refuseOverwrites([output], run, { args: [source] });
  const reviewing = await openReviewing(found, run);
  const finish = (reviewed: ReviewedEnvelope) => writeReviewed(reviewed, reviewing, output.path);
  try {
    if (decisionsFile !== undefined) {
      const decisions = await readJson(decisionsFile, ctx, `--decisions needs ${DECISIONS_FORM}.`);
      const reviewed = await reviewing.apply(decisions, { reviewer, listName: nameSource(decisionsFile) });
      return await finish(reviewed);
    }
    const { reviewOnPage } = await import('./review-on-page.ts');
    const draft = `${removeEnding(source)}.review.json`;
    await reviewOnPage(reviewing, { output: output.path, draft }, finish);
  } finally {
    await reviewing.close();
  }
}

/** Requires a terminal to show the link, unless --no-open is given. @throws VehiError usage NOT_INTERACTIVE */
function requireTerminal({ interactive }: CliContext, open?: boolean): void {
  if (interactive || open === false) return;
  const message = 'a review needs a person at a terminal, and this is not a terminal.';
  const hint = `Give vehi review --no-open to print the link, or --decisions FILE: ${DECISIONS_FORM}.`;
  throw new VehiError('usage', 'NOT_INTERACTIVE', message, { hint });
}

function chooseOutput(source: string, { output }: Pick<ReviewFlags, 'output'>): NamedFile {
  const derived = `${source === '-' ? 'result' : removeEnding(source)}.reviewed.json`;
  if (output === undefined) return { path: derived, words: escapeName(derived) };
  const { path } = parseOutput(output, 'review');
  return { path, words: `--output ${escapeName(path)}` };
}

async function writeReviewed(
  reviewed: ReviewedEnvelope,
  { inspection, engine, ctx }: Reviewing,
  output: string,
): Promise<void> {
  const estimated = recomputeEstimate(reviewed, engine);
  const document = toJsonText(estimated);
  const isPrinted = output === '-';
  if (isPrinted) await write(ctx.stdout, document);
  else await writeFileWhole(output, document, ctx.cwd);
  if (losesEdits(reviewed, estimated))
    await writeStatus(
      ctx,
      'vehi: the estimate is made again; edits of the earlier one are left out: vehi assess --edit',
    );
  if (!isPrinted)
    await write(ctx.stdout, renderChangesText(inspection, reviewed, ctx.color.stdout, countColumns(ctx)));
  await writeStatus(ctx, `${summarize(reviewed)}; written to ${isPrinted ? 'stdout' : output}`);
}

const ALWAYS_COUNTED: readonly string[] = ['accept', 'reject', 'change'];

function summarize({ review }: ReviewedEnvelope): string {
  const counts = Object.entries(DECISION_WORDS).flatMap(([decision, word]) => {
    const count = review.decisions.filter((one) => one.decision === decision).length;
    return count > 0 || ALWAYS_COUNTED.includes(decision) ? [`${count} ${word}`] : [];
  });
  const left = review.not_reviewed.length;
  return [...counts, ...(left > 0 ? [`${left} not reviewed`] : [])].join(', ');
}

const removeEnding = (source: string): string =>
  basename(source) === '.json' ? source : source.replace(/\.json$/i, '');
