import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';
import { supportsSpinner } from '../terminal/progress.ts';

/** Reports the progress of a fleet on stderr. */
interface FleetProgress {
  /** Reports a finished vehicle; `isNew` is false if its result already existed. */
  reportVehicle(name: string, outcome: string, isNew: boolean): Promise<void>;
  writeNote(text: string): Promise<void>;
  stop(): void;
}

/**
 * Starts the progress display of a fleet: a numbered line per vehicle, and on a terminal a status line with a bar, the
 * count and the time left.
 */
export async function openFleetProgress(
  ctx: CliContext,
  vehicles: number,
  quiet: boolean,
): Promise<FleetProgress> {
  const spinner = !quiet && supportsSpinner(ctx) ? await startSpinner(ctx) : null;
  const startedMs = ctx.now().getTime();
  let done = 0;
  let worked = 0;
  const writeLine = async (text: string) => {
    spinner?.clear();
    await writeStatus(ctx, text);
    spinner?.render();
  };
  if (spinner) spinner.text = describeOverall(0, vehicles, '');
  return {
    reportVehicle: async (name, outcome, isNew) => {
      done++;
      if (isNew) worked++;
      if (quiet) return;
      const left = describeTimeLeft(ctx.now().getTime() - startedMs, worked, vehicles - done);
      if (spinner) spinner.text = describeOverall(done, vehicles, left);
      await writeLine(`${String(done).padStart(String(vehicles).length)}/${vehicles}  ${name}  ${outcome}`);
    },
    writeNote: writeLine,
    stop: () => {
      spinner?.stop();
    },
  };
}

async function startSpinner(ctx: CliContext) {
  const { default: ora } = await import('ora');
  return ora({
    stream: ctx.stderr as NodeJS.WriteStream,
    discardStdin: false,
    ...(ctx.colour.stderr > 0 ? { color: 'cyan' as const } : {}),
  }).start();
}

function describeOverall(done: number, vehicles: number, left: string): string {
  return `${renderBar(done, vehicles, BAR_COLUMNS)} ${done} of ${vehicles} vehicles${left}`;
}

const BAR_COLUMNS = 24;

/** Renders a progress bar of `columns` characters, rounded down, so it is full only at completion. */
export function renderBar(done: number, all: number, columns: number): string {
  const filled = all === 0 ? columns : Math.floor((done / all) * columns);
  return `[${'='.repeat(filled)}${' '.repeat(columns - filled)}]`;
}

/** Formats the estimated time for the remaining vehicles; empty without a measured rate. */
export function describeTimeLeft(elapsedMs: number, worked: number, left: number): string {
  if (worked === 0 || left === 0) return '';
  const seconds = Math.ceil(((elapsedMs / worked) * left) / 1000);
  if (seconds < 90) return `, about ${seconds} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `, about ${minutes} min left` : `, about ${(minutes / 60).toFixed(1)} h left`;
}
