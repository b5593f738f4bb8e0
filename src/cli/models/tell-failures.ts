import type { PhotoFailure } from '../../evaluate/photo-run.ts';
import type { CliContext } from '../terminal/context.ts';
import { tell } from '../terminal/progress.ts';

const FAILURES_TOLD = 10;

/** Names the first photos that could not be measured, with the reasons. */
export async function tellFailures(failures: readonly PhotoFailure[], ctx: CliContext): Promise<void> {
  for (const { file, reason } of failures.slice(0, FAILURES_TOLD)) await tell(ctx, `${file}: ${reason}`);
  if (failures.length > FAILURES_TOLD) await tell(ctx, `… and ${failures.length - FAILURES_TOLD} more`);
}
