import { type CliContext, listenForStop, type StopSignal } from '../../src/cli/terminal/context.ts';
import { writeStatus } from '../../src/cli/terminal/output.ts';
import { createInspectProgress } from '../../src/cli/terminal/progress.ts';
import { readSettings } from '../../src/config/settings.ts';
import { defined } from '../../src/lib/objects.ts';
import { countDefaultThreads } from '../../src/vision/run/threads.ts';
import { decodeAny } from './decode-any.ts';
import type { EvaluationPorts, PhotoFailure } from './photo-run.ts';

/** Adapters for a run over photos, including progress. */
type PhotoPorts = Omit<Required<EvaluationPorts>, 'runModels'>;

/** Returns the number of model threads from flag or settings, otherwise the default for this machine. */
export async function countThreads(threads: number | undefined, ctx: CliContext): Promise<number> {
  const { value } = readSettings(defined({ threads }), ctx).threads;
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
