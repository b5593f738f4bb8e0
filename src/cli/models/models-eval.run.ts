import { resolve } from 'node:path';
import { readSettings } from '../../config/settings.ts';
import { measureDamage } from '../../evaluate/measure-damage.ts';
import type { EvaluationPorts, PhotoFailure } from '../../evaluate/photo-run.ts';
import { decodeAny } from '../../images/read/decode-any.ts';
import { resizeRgb } from '../../images/read/resize-rgb.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { toJsonText } from '../../lib/json.ts';
import { loadManifest } from '../../vision/models/model-files.ts';
import { countDefaultThreads } from '../../vision/run/threads.ts';
import { createVision } from '../../vision/vision.ts';
import { renderEvaluationText } from '../tables/evaluation-table.ts';
import { countColumns } from '../terminal/columns.ts';
import { type CliContext, listenForStop, type StopSignal } from '../terminal/context.ts';
import { EXIT, EXIT_OF_SIGNAL } from '../terminal/exit-codes.ts';
import { findModelDir } from '../terminal/model-dir.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { write, writeStatus } from '../terminal/output.ts';
import { createInspectProgress } from '../terminal/progress.ts';
import { type EvalFlags, listPhotoFiles, readImages } from './evaluation-input.ts';

/** Runs `vehi models eval`: evaluates the damage model on annotated photos; failed photos are reported and excluded. */
export async function runModelsEval(flags: FlagsOf<'models eval'>, ctx: CliContext): Promise<void> {
  if (flags.corrections !== undefined)
    return (await import('./models-corrections.run.ts')).runModelsCorrections(flags.corrections, flags, ctx);
  requireAnnotations(flags);
  const modelDir = findModelDir(readSettings(flags, ctx), ctx);
  const threads = await countThreads(flags.threads, ctx);
  const images = await readImages(flags, ctx);
  const { damage } = await loadManifest(modelDir);
  const clean = flags.clean === undefined ? [] : await listPhotoFiles(resolve(ctx.cwd, flags.clean));
  const sensitivity = chooseThresholds(flags);
  const measurement = {
    images,
    imageDir: resolve(ctx.cwd, flags.images),
    clean,
    labels: damage.labels,
    thresholds: damage.thresholds[sensitivity],
    floor: damage.thresholds.high,
  };
  const { precision } = flags;
  const vision = await createVision({ modelDir, threads, resize: resizeRgb, ...defined({ precision }) });
  try {
    await processPhotos(threads, ctx, async (ports, stopped) => {
      const evaluationPorts: EvaluationPorts = { ...ports, runModels: (photo) => vision.runModels(photo) };
      const { failures, ...score } = await measureDamage(measurement, evaluationPorts);
      await reportFailures(failures, ctx);
      const facts = { models: vision.models, sensitivity, partial: stopped() !== null };
      await write(
        ctx.stdout,
        flags.json
          ? toJsonText({ ...facts, ...score, failures })
          : renderEvaluationText(facts, score, ctx.colour.stdout, countColumns(ctx)),
      );
      const signal = stopped();
      if (signal) ctx.setExitCode(EXIT_OF_SIGNAL[signal]);
      else if (score.photos === 0 && failures.length > 0) ctx.setExitCode(EXIT.inputRejected);
    });
  } finally {
    await vision.close();
  }
}

/** Requires annotations and images. @throws VehiError kind `usage` */
function requireAnnotations(flags: FlagsOf<'models eval'>): asserts flags is EvalFlags {
  const { annotations, images } = flags;
  if (annotations !== undefined && images !== undefined) return;
  const missing = annotations === undefined ? '--annotations <file>' : '--images <dir>';
  throw new VehiError('usage', 'INVALID_REQUEST', `required option '${missing}' not specified.`, {
    hint: 'Or measure by what reviewers decided: --corrections FILE…',
  });
}

/**
 * Returns the thresholds at which to measure average precision; the model defines two sets.
 * @throws VehiError kind `usage` for the third sensitivity
 */
function chooseThresholds({ sensitivity = 'default' }: EvalFlags): 'default' | 'high' {
  if (sensitivity !== 'low') return sensitivity;
  throw new VehiError(
    'usage',
    'SENSITIVITY_UNKNOWN',
    '--sensitivity low cannot be measured here: the model states thresholds for default and high.',
  );
}

/** Adapters for a run over photos, including progress. */
export type PhotoPorts = Omit<Required<EvaluationPorts>, 'runModels'>;

/** Returns the number of model threads from flag or settings, otherwise the default for this machine. */
export async function countThreads(threads: number | undefined, ctx: CliContext): Promise<number> {
  const { value } = readSettings({ threads }, ctx).threads;
  return value === null ? countDefaultThreads() : Number(value);
}

/** Processes photos with a progress line; a stop signal ends it after the photos in progress. */
export async function processPhotos(
  threads: number,
  ctx: CliContext,
  work: (ports: PhotoPorts, stopped: () => StopSignal | null) => Promise<void>,
): Promise<void> {
  const progress = await createInspectProgress(ctx, false);
  const stop = listenForStop(ctx);
  const onProgress = (done: number, photos: number) => {
    progress.note(`photo ${done} of ${photos}`);
    if (done === photos) progress.stop();
  };
  try {
    await work(
      { decode: decodeAny, concurrency: threads + 1, signal: stop.signal, onProgress },
      stop.stopped,
    );
  } finally {
    progress.stop();
    stop.remove();
  }
}

const MAX_FAILURES_SHOWN = 10;

/** Prints the names of the first failed photos with their reasons. */
export async function reportFailures(failures: readonly PhotoFailure[], ctx: CliContext): Promise<void> {
  for (const { file, reason } of failures.slice(0, MAX_FAILURES_SHOWN))
    await writeStatus(ctx, `${file}: ${reason}`);
  if (failures.length > MAX_FAILURES_SHOWN)
    await writeStatus(ctx, `… and ${failures.length - MAX_FAILURES_SHOWN} more`);
}
