import type { CliContext } from '../terminal/context.ts';
import { write, writeFileWhole, writeStatus } from '../terminal/output.ts';
import type { Attempts } from './attempts.ts';
import type { Content } from './kinds.ts';

interface Destination {
  readonly kind: string;
  /** A file, or `-` for stdout. */
  readonly path: string;
}

/**
 * Renders and writes each output independently.
 * @returns the outputs written successfully
 */
export async function writeOutputs<O extends Destination>(
  outputs: readonly O[],
  contentOf: (output: O) => Promise<Content>,
  attempts: Attempts,
  ctx: CliContext,
): Promise<readonly O[]> {
  const written: O[] = [];
  for (const output of outputs) {
    await attempts.of(async () => {
      const content = await contentOf(output);
      if (output.path === '-') await write(ctx.stdout, content);
      else await writeFileWhole(output.path, content, ctx.cwd);
      written.push(output);
    });
  }
  return written;
}

/** Prints the written files on stderr. */
export async function reportWritten(outputs: readonly Destination[], ctx: CliContext): Promise<void> {
  for (const { kind, path } of outputs)
    if (path !== '-') await writeStatus(ctx, `${kind} written to ${path}`);
}
