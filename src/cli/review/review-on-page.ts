import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Result } from '../../contract/result.ts';
import type { REVIEW_FORMATS, ReviewedEnvelope } from '../../contract/review-answers.ts';
import { exportCorrections } from '../../engine/review/corrections-coco.ts';
import { VehiError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/format-count.ts';
import { hashJson } from '../../lib/ids.ts';
import { toJsonText } from '../../lib/json.ts';
import { defined } from '../../lib/objects.ts';
import type { OneResult } from '../../server/result-page.ts';
import { pickOutcome, pickShown } from '../../server/reviews/reviews.ts';
import { readAssessmentRequest } from '../assess/assess-input.ts';
import { recomputeEstimate } from '../assess/recompute-estimate.ts';
import { renderResult } from '../outputs/kinds.ts';
import { openRedaction } from '../outputs/redaction.ts';
import { makeReportPictures } from '../outputs/report-pictures.ts';
import { makeFileView } from '../outputs/view.ts';
import { type CliContext, listenForStop } from '../terminal/context.ts';
import { writeFaults } from '../terminal/errors.ts';
import { EXIT_OF_SIGNAL } from '../terminal/exit-codes.ts';
import { writeStatus } from '../terminal/output.ts';
import { quoteCommandLine } from '../terminal/shell-words.ts';
import { readDraft, writeDraft } from './draft.ts';
import { openReviewPage } from './page.ts';
import { openPictures } from './pictures.ts';
import type { Reviewing } from './reviewing.ts';

/**
 * Restores the review from the draft, and reports what was found.
 * @throws VehiError input if a decision cannot be applied, such as one with a lost photo; the draft is kept
 */
export async function resume(
  { inspection, apply, flags, ctx }: Pick<Reviewing, 'inspection' | 'apply' | 'flags' | 'ctx'>,
  draftPath: string,
): Promise<OneResult['savedReview']> {
  const { draft, setAside } = await readDraft(resolve(ctx.cwd, draftPath), inspection);
  const reviewer = flags.reviewer ?? draft?.reviewer ?? '';
  const decisions = draft?.decisions ?? [];
  const reviewed = await apply(decisions, { reviewer, listName: draftPath }).catch((error: unknown) => {
    if (!(error instanceof VehiError) || decisions.length === 0) throw error;
    throw new VehiError(error.kind, error.code, error.message, {
      hint: `Put the photos back, or correct or remove the decision in ${draftPath}, which keeps all of them.`,
      cause: error,
    });
  });
  if (setAside)
    await writeStatus(ctx, `vehi: ${draftPath} ${setAside.why} and was renamed to ${setAside.to}`);
  const saved = formatCount(decisions.length, 'decision');
  if (decisions.length > 0) await writeStatus(ctx, `vehi: resuming with ${saved} saved in ${draftPath}`);
  return { reviewer, decisions, outcome: pickOutcome(reviewed), savedAt: draft?.saved_at ?? null };
}

/**
 * Runs the review on the page. Finishing it writes the result and ends the command; if the command is stopped, the
 * decisions remain in the draft next to the result.
 */
export async function reviewOnPage(
  reviewing: Reviewing,
  { output, draft }: { readonly output: string; readonly draft: string },
  finish: (reviewed: ReviewedEnvelope) => Promise<void>,
): Promise<void> {
  const { inspection, engine, now, ctx } = reviewing;
  const savedReview = await resume(reviewing, draft);
  const report = quoteCommandLine(['vehi', 'report', output, '-o', 'report.pdf']);
  const digest = hashJson(inspection);
  const pictures = openPictures(reviewing);
  let isSaved = savedReview.savedAt !== null;
  const result: OneResult = {
    inspection,
    written: { reviewed_to: output, report_command: report },
    now,
    engine,
    getPartMap: reviewing.mapOf,
    pictures,
    savedReview,
    async save({ decisions, reviewer, savedAt }) {
      const stored = { result_sha256: digest, saved_at: savedAt, reviewer, decisions: [...decisions] };
      await reportFailure(writeDraft(draft, stored, ctx.cwd), ctx);
      isSaved = true;
    },
    finish: async ({ decisions, reviewer }) =>
      reportFailure(finish(await reviewing.apply(decisions, { reviewer })), ctx),
    exportFile: (reviewed, { format, redact = true }) => renderExport(format, reviewed, reviewing, redact),
  };
  const page = await openReviewPage(result, reviewing);
  void pictures.prepare(inspection.data.images);
  const stop = listenForStop(ctx);
  try {
    await Promise.race([page.finished, once(stop.signal, 'abort')]);
    const signal = stop.stopped();
    if (signal === null) return;
    const words = isSaved ? `decisions are saved in ${draft}` : 'no decisions were saved';
    await writeStatus(ctx, `vehi: stopped; ${words}`);
    ctx.setExitCode(EXIT_OF_SIGNAL[signal]);
  } finally {
    stop.remove();
    await page.close();
    await pictures.close();
  }
}

/** Reports on the terminal, then to the page, what could not be stored. @throws VehiError input, which the page shows */
function reportFailure(work: Promise<void>, ctx: CliContext): Promise<void> {
  return work.catch(async (error: unknown) => {
    if (!(error instanceof VehiError)) throw error;
    await writeFaults(error, ctx);
    throw new VehiError('input', error.code, error.message, { hint: error.hint, cause: error });
  });
}

/** Renders an export of the reviewed result from the original photos. @param redacts true to blur number plates */
async function renderExport(
  format: (typeof REVIEW_FORMATS)[number],
  reviewed: ReviewedEnvelope,
  { photos, photosFolder, engine, now, page, ctx }: Reviewing,
  redacts: boolean,
): Promise<string | Uint8Array> {
  if (format === 'coco') return toJsonText(exportCorrections(reviewed));
  const estimated = recomputeEstimate(reviewed, engine);
  if (format === 'json') return toJsonText(estimated);
  const { results } = reviewed.data;
  const isPriced = results && results.damages.length > 0 && !results.mixed_vehicles;
  const assessment =
    estimated.assessment ?? (isPriced ? engine.assess(readAssessmentRequest(reviewed)) : null);
  const result: Result = { ...defined({ photos }), inspection: pickShown(reviewed), assessment };
  const redaction = openRedaction({ value: redacts ? 'on' : 'off', source: 'default' }, ctx);
  const pictures = makeReportPictures(result, photosFolder, redaction, ctx);
  const view = makeFileView({ failOn: 'none', page, now, ctx, redaction, pictures });
  const kind = format === 'estimate' ? 'lines' : format;
  return renderResult(kind, result, view).finally(() => redaction.report());
}
