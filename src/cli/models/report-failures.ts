import type { PhotoFailure } from '../../evaluate/photo-run.ts';
import type { CliContext } from '../terminal/context.ts';
import { printStatus } from '../terminal/progress.ts';

const FAILURES_SHOWN = 10;

/** Prints the names of the first photos that could not be measured, with the reasons. */
export async function reportFailures(failures: readonly PhotoFailure[], ctx: CliContext): Promise<void> {
  for (const { file, reason } of failures.slice(0, FAILURES_SHOWN))
    await printStatus(ctx, `${file}: ${reason}`);
  if (failures.length > FAILURES_SHOWN)
    await printStatus(ctx, `… and ${failures.length - FAILURES_SHOWN} more`);
}
