import { readSettings } from '../../config/settings.ts';
import { decodeAny } from '../../images/read/decode-any.ts';
import { countDefaultThreads } from '../../vision/run/threads.ts';
import type { CliContext, StopSignal } from '../terminal/context.ts';
import { createInspectProgress } from '../terminal/progress.ts';

/** What a run through photos needs of the outside, with progress reported. */
export interface LookingPorts {
  readonly decode: typeof decodeAny;
  readonly atOnce: number;
  readonly signal: AbortSignal;
  onProgress(done: number, photos: number): void;
}

/** Returns how many threads run the models: as flag or settings say, else as many as suit this machine. */
export async function countThreads(threads: number | undefined, ctx: CliContext): Promise<number> {
  const { value } = readSettings({ threads }, ctx).threads;
  return value === null ? countDefaultThreads() : Number(value);
}

/** Does work on photos with a line of progress; a stop of the command ends it after the photos in flight. */
export async function goThrough(
  threads: number,
  ctx: CliContext,
  work: (ports: LookingPorts, stopped: () => StopSignal | null) => Promise<void>,
): Promise<void> {
  const progress = await createInspectProgress(ctx, false);
  const stop = new AbortController();
  let stopped: StopSignal | null = null;
  const forget = ctx.onStop((signal) => {
    stopped = signal;
    stop.abort();
  });
  const onProgress = (done: number, photos: number) => {
    progress.note(`photo ${done} of ${photos}`);
    if (done === photos) progress.stop();
  };
  try {
    await work({ decode: decodeAny, atOnce: threads + 1, signal: stop.signal, onProgress }, () => stopped);
  } finally {
    progress.stop();
    forget();
  }
}
