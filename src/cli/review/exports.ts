import type { Result } from '../../contract/result.ts';
import type { ReviewedEnvelope } from '../../contract/review.ts';
import type { REVIEW_FORMATS } from '../../contract/review-answers.ts';
import type { Engine } from '../../engine/engine.ts';
import { exportCorrections } from '../../engine/review/corrections-coco.ts';
import { toJsonText } from '../../lib/json.ts';
import { readAssessmentRequest } from '../assess/assess-input.ts';
import { estimateAgain } from '../assess/estimate-again.ts';
import { renderResult } from '../outputs/kinds.ts';
import { openRedaction } from '../outputs/redaction.ts';
import { makeReportPictures } from '../outputs/report-pictures.ts';
import { createFileView } from '../outputs/view.ts';
import type { CliContext } from '../terminal/context.ts';

/** Where the photos of a report are. */
interface ExportPlace {
  readonly source: Result;
  readonly photos: string | undefined;
  readonly models: string | undefined;
}

/** Renders a file of the reviewed result from the photos themselves. @param redact blur the number plates that are found */
export async function renderExport(
  format: (typeof REVIEW_FORMATS)[number],
  reviewed: ReviewedEnvelope,
  { source, photos, models }: ExportPlace,
  engine: Engine,
  options: { readonly redact: boolean; readonly now: () => Date },
  ctx: CliContext,
): Promise<string | Uint8Array> {
  if (format === 'coco') return toJsonText(exportCorrections(reviewed));
  const estimated = estimateAgain(reviewed, engine);
  if (format === 'json') return toJsonText(estimated);
  const of: Result = {
    ...source,
    inspection: reviewed,
    assessment:
      estimated.assessment ??
      (reviewed.data.results?.damages.length ? engine.assess(readAssessmentRequest(reviewed)) : null),
  };
  const redaction = await openRedaction(
    { redact: options.redact ? [] : ['off'], ...(models ? { models } : {}) },
    format === 'pdf' || format === 'html',
    ctx,
  );
  try {
    const view = createFileView({
      failOn: 'none',
      page: { pageSize: 'A4', extraFont: undefined },
      now: options.now,
      pictures: makeReportPictures(of, photos, redaction, ctx),
    });
    return await renderResult(format === 'estimate' ? 'lines' : format, of, view);
  } finally {
    await redaction.close();
  }
}
