import type { CliContext } from './context.ts';
import { writeStatus } from './output.ts';

/** Reports that the used link of a page was opened again; on a terminal, Enter prints a new one. */
export async function reportUsedLink(ctx: CliContext): Promise<void> {
  const hint = ctx.interactive ? '; Enter prints a new one' : '';
  await writeStatus(ctx, `vehi: a link that was used before was opened${hint}`);
}
