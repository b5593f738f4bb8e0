import type { CliContext } from '../terminal/context.ts';
import { isWatched, printStatus } from '../terminal/progress.ts';

/** Reports on stderr how far a fleet is. */
interface FleetProgress {
  /** A vehicle ended; `worked` is false where its result was there already. */
  vehicle(name: string, outcome: string, worked: boolean): Promise<void>;
  note(text: string): Promise<void>;
  stop(): void;
}

/**
 * Opens the progress of many vehicles: a line per vehicle with its number; on a terminal also a line below with a bar,
 * the count and the time left.
 */
export async function openFleetProgress(
  ctx: CliContext,
  vehicles: number,
  quiet: boolean,
): Promise<FleetProgress> {
  const spinner = !quiet && isWatched(ctx) ? await startSpinner(ctx) : null;
  const started = ctx.now().getTime();
  let done = 0;
  let worked = 0;
  const line = async (text: string) => {
    spinner?.clear();
    await printStatus(ctx, text);
    spinner?.render();
  };
  if (spinner) spinner.text = describeOverall(0, vehicles, '');
  return {
    vehicle: async (name, outcome, hasWorked) => {
      done++;
      if (hasWorked) worked++;
      if (quiet) return;
      const left = describeTimeLeft(ctx.now().getTime() - started, worked, vehicles - done);
      if (spinner) spinner.text = describeOverall(done, vehicles, left);
      await line(`${String(done).padStart(String(vehicles).length)}/${vehicles}  ${name}  ${outcome}`);
    },
    note: line,
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

/** Returns a bar of `columns` characters, filled as far as the work is done; full only when all of it is done. */
export function renderBar(done: number, all: number, columns: number): string {
  const filled = all === 0 ? columns : Math.floor((done / all) * columns);
  return `[${'='.repeat(filled)}${' '.repeat(columns - filled)}]`;
}

/** Returns in words how long `left` more vehicles take at the pace so far; empty where there is no pace yet. */
export function describeTimeLeft(elapsedMs: number, worked: number, left: number): string {
  if (worked === 0 || left === 0) return '';
  const seconds = Math.ceil(((elapsedMs / worked) * left) / 1000);
  if (seconds < 90) return `, about ${seconds} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `, about ${minutes} min left` : `, about ${(minutes / 60).toFixed(1)} h left`;
}
