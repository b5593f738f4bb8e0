import { type ErrorKind, VehiError } from '../../lib/errors.ts';
import { findMissingPart } from '../../lib/package.ts';
import { listAllFaults } from './all-faults.ts';
import { isPromptAborted } from './asker.ts';
import type { CliContext } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { write, writeStatus } from './output.ts';

const EXIT_OF_KIND = {
  usage: EXIT.usage,
  input: EXIT.inputRejected,
  engine: EXIT.engine,
  remote: EXIT.remote,
} as const satisfies Record<ErrorKind, ExitCode>;

/** Reports a failure on stderr and sets the exit code; bugs are printed with their stack for a report. */
export async function reportError(thrown: unknown, ctx: CliContext): Promise<void> {
  const error = thrown instanceof VehiError ? thrown : (findMissingPart(thrown) ?? thrown);
  if (error instanceof VehiError) {
    const { kind, message, hint } = listAllFaults(error);
    ctx.setExitCode(EXIT_OF_KIND[kind]);
    return writeStatus(ctx, `vehi: ${message}${hint ? `\n  ${hint}` : ''}`);
  }
  if (isPromptAborted(error)) {
    ctx.setExitCode(EXIT.interrupted);
    return;
  }
  ctx.setExitCode(EXIT.engine);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await write(ctx.stderr, `vehi: this is a bug in vehi, please report it:\n${stack}\n`);
}
