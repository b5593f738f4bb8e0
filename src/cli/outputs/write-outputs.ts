import { VehiError } from '../../lib/errors.ts';
import type { CliContext } from '../terminal/context.ts';
import { write, writeFileWhole, writeStatus } from '../terminal/output.ts';
import type { Content } from './kinds.ts';
import type { Output } from './parse-output.ts';
import type { Redaction } from './redaction.ts';

/**
 * Creates a runner of independent operations: a failure of one (such as a full disk) does not prevent the others.
 */
export function openAttempts(ctx: CliContext) {
  const failures: VehiError[] = [];
  return {
    /** Runs an operation and collects a VehiError. @returns its result, or undefined if it failed */
    async of<T>(work: () => Promise<T>): Promise<T | undefined> {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof VehiError)) throw error;
        failures.push(error);
        return undefined;
      }
    },
    /** Reports all failures but the first, which is thrown. @throws the first collected VehiError */
    async settle(): Promise<void> {
      const [first, ...others] = failures;
      for (const { message } of others) await writeStatus(ctx, `vehi: ${message}`);
      if (first !== undefined) throw first;
    },
  };
}

export type Attempts = Readonly<ReturnType<typeof openAttempts>>;

/**
 * Renders and writes each output independently.
 * @returns the outputs written successfully
 */
export async function writeOutputs(
  outputs: readonly Output[],
  contentOf: (output: Output) => Promise<Content>,
  attempts: Attempts,
  ctx: CliContext,
): Promise<readonly Output[]> {
  const written: Output[] = [];
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
export async function reportWritten(outputs: readonly Output[], ctx: CliContext): Promise<void> {
  for (const { kind, path } of outputs)
    if (path !== '-') await writeStatus(ctx, `${kind} written to ${path}`);
}

/**
 * Writes all outputs of a command, and says on stderr what was written and blurred.
 * @throws VehiError for the first output that failed, after writing all others
 */
export async function writeAll(
  outputs: readonly Output[],
  contentOf: (output: Output) => Promise<Content>,
  { quiet, redaction }: { readonly quiet: boolean | undefined; readonly redaction?: Redaction },
  ctx: CliContext,
): Promise<void> {
  const attempts = openAttempts(ctx);
  try {
    const written = await writeOutputs(outputs, contentOf, attempts, ctx);
    if (!quiet) await reportWritten(written, ctx);
  } finally {
    await redaction?.report();
  }
  await attempts.settle();
}
