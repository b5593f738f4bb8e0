import { basename } from 'node:path';
import type { ReviewedEnvelope } from '../../contract/review-answers.ts';
import { VehiError } from '../../lib/errors.ts';
import { toJsonText } from '../../lib/json.ts';
import { escapeName } from '../../lib/names.ts';
import { DECISION_WORDS } from '../../report/words.ts';
import { losesEdits, recomputeEstimate } from '../assess/recompute-estimate.ts';
import { parseReviewOutput } from '../outputs/parse-output.ts';
import { refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { readInspection, requirePhotoFolders } from '../results/result-source.ts';
import type { CliContext } from '../terminal/context.ts';
import { write, writeFileWhole, writeStatus } from '../terminal/output.ts';
import { nameSource, readJson } from '../terminal/read-json.ts';
import { makeUsageError } from '../terminal/usage-error.ts';
import { renderChangesText } from './changes-text.ts';
import type { ReviewFlags } from './page.ts';
import { openReviewing, type Reviewing } from './reviewing.ts';

const DECISIONS_FORM = 'a JSON list of {"damage_id", "decision": "accept", "reject" or "change"}';

/** Runs `vehi review`: takes decisions from the page or a file, then writes the corrected result. */
export async function runReview(source: string, flags: ReviewFlags, ctx: CliContext): Promise<void> {
  const { decisions: listName, reviewer } = flags;
  if (listName === undefined) requireTerminal(ctx, flags.open);
  if (source === '-' && (listName === undefined || listName === '-')) {
    const hint = 'Name the file of the result, or give --decisions FILE.';
    throw makeUsageError('stdin cannot hold both the result and the decisions.', hint);
  }
  await requirePhotoFolders({ '--photos': flags.photos }, ctx);
  const found = await readInspection(source, ctx);
  const output = chooseOutput(source, flags);
  const named = { path: output, words: `--output ${escapeName(output)}` };
  await refuseOverwrites([named], { args: [source], flags }, ctx);
  const reviewing = await openReviewing(found, flags, ctx);
  const finish = (reviewed: ReviewedEnvelope) => writeReviewed(reviewed, reviewing, output, ctx);
  try {
    if (listName !== undefined)
      return await finish(
        await reviewing.apply(await readJson(listName, ctx, `--decisions needs ${DECISIONS_FORM}.`), {
          reviewer,
          listName: nameSource(listName),
        }),
      );
    const { reviewOnPage } = await import('./page.run.ts');
    const draft = `${removeEnding(source)}.review.json`;
    await reviewOnPage(reviewing, { output, draft }, flags, ctx, finish);
  } finally {
    await reviewing.close();
  }
}

/** Requires a terminal to show the link, unless --no-open is given. @throws VehiError usage NOT_INTERACTIVE */
function requireTerminal({ interactive }: CliContext, open?: boolean): void {
  if (interactive || open === false) return;
  const message = 'a review needs a person at a terminal, and this is not a terminal.';
  throw new VehiError('usage', 'NOT_INTERACTIVE', message, {
    hint: `Give vehi review --no-open to print the link, or --decisions FILE: ${DECISIONS_FORM}.`,
  });
}

/** Returns the output path of the reviewed result. @throws VehiError usage for another kind than JSON */
function chooseOutput(source: string, { output }: Pick<ReviewFlags, 'output'>): string {
  if (output !== undefined) return parseReviewOutput(output);
  return `${source === '-' ? 'result' : removeEnding(source)}.reviewed.json`;
}

async function writeReviewed(
  reviewed: ReviewedEnvelope,
  { inspection, engine }: Reviewing,
  output: string,
  ctx: CliContext,
): Promise<void> {
  const estimated = recomputeEstimate(reviewed, engine);
  const document = toJsonText(estimated);
  const isPrinted = output === '-';
  if (isPrinted) await write(ctx.stdout, document);
  else await writeFileWhole(output, document, ctx.cwd);
  if (losesEdits(reviewed, estimated))
    await writeStatus(
      ctx,
      'vehi: the estimate is made again; edits of its lines are left out: vehi assess --edit',
    );
  if (!isPrinted) await write(ctx.stdout, renderChangesText(inspection, reviewed, ctx.color.stdout));
  await writeStatus(ctx, `${summarize(reviewed)}; written to ${isPrinted ? 'stdout' : output}`);
}

function summarize({ review }: ReviewedEnvelope): string {
  const counts = Object.entries(DECISION_WORDS).map(([decision, word]) => {
    const count = review.decisions.filter((one) => one.decision === decision).length;
    return count > 0 || decision in { accept: 1, reject: 1, change: 1 } ? [`${count} ${word}`] : [];
  });
  const left = review.not_reviewed.length;
  return [...counts.flat(), ...(left > 0 ? [`${left} not reviewed`] : [])].join(', ');
}

/** Removes the extension `.json`. */
function removeEnding(source: string): string {
  return basename(source) === '.json' ? source : source.replace(/\.json$/i, '');
}
