import { type FindsReport, lookAtLabelled, reportFinds } from '../../evaluate/finds/measure-finds.ts';
import type { PhotoFailure } from '../../evaluate/photo-run.ts';
import { resizeRgb } from '../../images/read/resize-rgb.ts';
import { defined } from '../../lib/defined.ts';
import { toJsonText } from '../../lib/json.ts';
import { createVision, type PhotoVision, type VisionOptions } from '../../vision/vision.ts';
import { renderFindsText } from '../tables/finds-text.ts';
import { countColumns } from '../terminal/columns.ts';
import type { CliContext } from '../terminal/context.ts';
import { decideExit } from '../terminal/exit-code.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { write } from '../terminal/output.ts';
import type { EvalFlags } from './evaluation-input.ts';
import { readLabelled, understand } from './finds-input.ts';
import { countThreads, goThrough, type LookingPorts } from './go-through.ts';
import { findModelDir } from './models.run.ts';
import { reportFailures } from './report-failures.ts';

/**
 * Runs `vehi models eval --finds`: measures how much labelled damage an inspection finds, and how much else it lists.
 */
export async function runModelsFinds(flags: EvalFlags, ctx: CliContext): Promise<void> {
  const { folder, photos } = await readLabelled(flags.annotations, ctx, flags.images);
  const sensitivity = flags.sensitivity ?? 'default';
  await withVision(flags, ctx, async (vision, ports, stopped) => {
    const seen = await lookAtLabelled(photos, folder, {
      ...ports,
      look: async (picture) => {
        const { detections, parts, presence } = await vision.see(picture);
        return { findings: detections, parts, presence };
      },
    });
    const report = reportFinds(seen.results, vision.limits[sensitivity], understand);
    const model = vision.models.find(({ id }) => id === 'damage');
    const title = `${model?.name} ${model?.version}, sensitivity ${sensitivity}`;
    const about = { models: vision.models, sensitivity, partial: stopped() };
    await writeReport(seen.failures, report, flags, { title, about }, ctx);
  });
}

async function writeReport(
  failures: readonly PhotoFailure[],
  report: FindsReport,
  flags: FlagsOf<'models eval'>,
  { title, about }: { readonly title: string; readonly about: { readonly partial: boolean } },
  ctx: CliContext,
): Promise<void> {
  await reportFailures(failures, ctx);
  await write(
    ctx.stdout,
    flags.json
      ? toJsonText({ ...about, ...report, failures })
      : renderFindsText(title, report, ctx.colour.stdout, countColumns(ctx)),
  );
  ctx.setExitCode(decideExit({ measured: report.photos, failed: failures.length }).code);
}

/** Starts the models, lets `work` use them and closes them; a stop of the command ends after the photos in flight. */
export async function withVision(
  flags: FlagsOf<'models list'> &
    Pick<FlagsOf<'models eval'>, 'threads' | 'precision'> &
    Pick<VisionOptions, 'unjudged'>,
  ctx: CliContext,
  work: (vision: PhotoVision, ports: LookingPorts, stopped: () => boolean) => Promise<void>,
): Promise<void> {
  const threads = await countThreads(flags.threads, ctx);
  const vision = await createVision({
    modelDir: findModelDir(flags, ctx),
    threads,
    resize: resizeRgb,
    ...(flags.unjudged ? { unjudged: true } : {}),
    ...defined({ precision: flags.precision }),
  });
  try {
    await goThrough(threads, ctx, async (ports, stopped) => {
      await work(vision, ports, () => stopped() !== null);
      if (stopped()) ctx.setExitCode(decideExit({ check: 'passed' }, { stopped: stopped() }).code);
    });
  } finally {
    await vision.close();
  }
}
