import type { Readable } from 'node:stream';
import type { CliContext } from '../terminal/context.ts';
import { write, writeFileWhole } from '../terminal/output.ts';
import { printStatus } from '../terminal/progress.ts';
import type { Attempts } from './attempts.ts';

interface Destination {
  readonly kind: string;
  /** A file, or `-` for stdout. */
  readonly path: string;
}

/**
 * Makes and writes each output by itself.
 * @returns those that could be written
 */
export async function writeOutputs<O extends Destination>(
  outputs: readonly O[],
  contentOf: (output: O) => Promise<string | Uint8Array | Readable>,
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

/** Says on stderr which files were written. */
export async function reportWritten(outputs: readonly Destination[], ctx: CliContext): Promise<void> {
  for (const { kind, path } of outputs)
    if (path !== '-') await printStatus(ctx, `${kind} written to ${path}`);
}
