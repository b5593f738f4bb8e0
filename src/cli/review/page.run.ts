import { resolve } from 'node:path';
import type { Result } from '../../contract/result.ts';
import type { Decision, ReviewedEnvelope } from '../../contract/review.ts';
import type { REVIEW_FORMATS } from '../../contract/review-answers.ts';
import { readReviewable } from '../../engine/review/apply.ts';
import { exportCorrections } from '../../engine/review/corrections-coco.ts';
import { isPhotoLost, keepPossible } from '../../engine/review/keep-possible.ts';
import { formatCount } from '../../lib/format-count.ts';
import { hashJson } from '../../lib/ids.ts';
import { toJsonText } from '../../lib/json.ts';
import { defined } from '../../lib/objects.ts';
import type { OneResult } from '../../server/result-page.ts';
import { pickOutcome } from '../../server/reviews/reviews.ts';
import { readAssessmentRequest } from '../assess/assess-input.ts';
import { recomputeEstimate } from '../assess/estimate-again.ts';
import { renderResult } from '../outputs/kinds.ts';
import { openRedaction } from '../outputs/redaction.ts';
import { makeReportPictures } from '../outputs/report-pictures.ts';
import { createFileView } from '../outputs/view.ts';
import type { CliContext, StopSignal } from '../terminal/context.ts';
import { EXIT_OF_SIGNAL } from '../terminal/exit-codes.ts';
import { chooseClock } from '../terminal/now.ts';
import { writeStatus } from '../terminal/output.ts';
import { readDraft, writeDraft } from './draft.ts';
import { describeLeftOut } from './left-out.ts';
import { openCommandPage, type ReviewFlags } from './page.ts';
import { openPictures } from './pictures.ts';
import type { Reviewing } from './reviewing.ts';

/** Review restored from the draft, and decisions whose photo is currently unavailable. */
type Resumed = Pick<OneResult, 'savedReview'> & { readonly unavailable: readonly unknown[] };

/** Restores the review from the draft, and reports what was found. */
export async function resume(
  { inspection, apply }: Pick<Reviewing, 'inspection' | 'apply'>,
  draftPath: string,
  flags: Pick<ReviewFlags, 'reviewer' | 'now'>,
  ctx: CliContext,
): Promise<Resumed> {
  const now = chooseClock(flags.now, ctx);
  const { draft, renamedTo: setAside } = await readDraft(resolve(ctx.cwd, draftPath), inspection);
  const reviewer = flags.reviewer ?? draft?.reviewer ?? '';
  const { kept, outcome, leftOut } = await keepPossible(draft?.decisions ?? [], (list) =>
    apply(list, { at: now(), ...(reviewer === '' ? {} : { reviewer }) }),
  );
  const reviewable = readReviewable(inspection);
  const described = leftOut.map((one) => describeLeftOut(one, reviewable));
  for (const { message } of described) await writeStatus(ctx, `vehi: ${message}`);
  if (setAside)
    await writeStatus(ctx, `vehi: ${draftPath} belongs to another result and was renamed to ${setAside}`);
  if (kept.length > 0)
    await writeStatus(
      ctx,
      `vehi: resuming with ${formatCount(kept.length, 'decision')} saved in ${draftPath}`,
    );
  return {
    savedReview: {
      reviewer,
      decisions: kept,
      outcome: pickOutcome(outcome),
      savedAt: draft?.saved_at ?? '',
      ...defined({ leftOut: described.length > 0 ? described : undefined }),
    },
    // Their photos may be available next time.
    unavailable: leftOut.filter(isPhotoLost).map(({ decision }) => decision),
  };
}

/**
 * Runs the review on the page. Finishing it there writes the result and ends the command; on a stop, the decisions stay
 * in the draft next to the result.
 */
export async function reviewOnPage(
  reviewing: Reviewing,
  paths: { readonly output: string; readonly draft: string },
  flags: ReviewFlags,
  ctx: CliContext,
  write: (reviewed: ReviewedEnvelope) => Promise<void>,
): Promise<void> {
  const now = chooseClock(flags.now, ctx);
  const { inspection, engine } = reviewing;
  const { savedReview, unavailable } = await resume(reviewing, paths.draft, flags, ctx);
  const digest = hashJson(inspection);
  const pictures = openPictures(reviewing);
  const apply = ({ decisions, reviewer }: Parameters<OneResult['finish']>[0]) =>
    reviewing.apply(decisions as readonly Decision[], {
      at: now(),
      ...(reviewer === '' ? {} : { reviewer }),
    });
  let isSaved = savedReview.savedAt !== '';
  const result: OneResult = {
    inspection,
    output: paths.output,
    now,
    engine,
    getPartMap: reviewing.mapOf,
    pictures,
    savedReview,
    async save({ decisions, reviewer, savedAt }) {
      const draft = { result_sha256: digest, saved_at: savedAt, reviewer };
      await writeDraft(paths.draft, { ...draft, decisions: [...decisions, ...unavailable] }, ctx.cwd);
      isSaved = true;
    },
    finish: async (review) => write(await apply(review)),
    exportFile: async (review, { format, redact = true }) =>
      renderExport(format, await apply(review), reviewing, { ...flags, redact, now }, ctx),
  };
  const page = await openCommandPage(result, flags, ctx);
  pictures.prepare(inspection.data.images);
  let stop: (signal: StopSignal) => void = () => undefined;
  const stopped = new Promise<StopSignal>((resolveSignal) => {
    stop = resolveSignal;
  });
  const removeHandler = ctx.onStop((signal) => stop(signal));
  try {
    const signal = await Promise.race([page.finished, stopped]);
    if (signal === undefined) return;
    const words = isSaved ? `decisions are saved in ${paths.draft}` : 'no decisions were made';
    await writeStatus(ctx, `vehi: stopped; ${words}`);
    ctx.setExitCode(EXIT_OF_SIGNAL[signal]);
  } finally {
    removeHandler();
    await page.close();
    await pictures.close();
  }
}

/** Renders an export of the reviewed result from the original photos. @param redact blur detected number plates */
async function renderExport(
  format: (typeof REVIEW_FORMATS)[number],
  reviewed: ReviewedEnvelope,
  { source, engine }: Reviewing,
  {
    redact,
    photos,
    now,
  }: Pick<ReviewFlags, 'photos'> & { readonly redact: boolean; readonly now: () => Date },
  ctx: CliContext,
): Promise<string | Uint8Array> {
  if (format === 'coco') return toJsonText(exportCorrections(reviewed));
  const estimated = recomputeEstimate(reviewed, engine);
  if (format === 'json') return toJsonText(estimated);
  const result: Result = {
    ...source,
    inspection: reviewed,
    assessment:
      estimated.assessment ??
      (reviewed.data.results?.damages.length && !reviewed.data.results.mixed_vehicles
        ? engine.assess(readAssessmentRequest(reviewed))
        : null),
  };
  const redaction = openRedaction({ value: redact ? 'on' : 'off', source: 'default' }, ctx);
  try {
    const view = createFileView({
      failOn: 'none',
      page: { pageSize: 'A4', language: undefined, extraFont: undefined },
      now,
      pictures: makeReportPictures(result, photos, redaction, ctx),
      showsPlates: !redaction.isOn,
    });
    return await renderResult(format === 'estimate' ? 'lines' : format, result, view);
  } finally {
    await redaction.report();
  }
}
