import { type ErrorKind, VehiError } from '../../lib/errors.ts';
import { foldLines } from '../../report/text/terminal-lines.ts';
import { isPromptAborted } from './asker.ts';
import type { CliContext } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { write } from './output.ts';

const EXIT_OF_KIND = {
  usage: EXIT.usage,
  input: EXIT.inputRejected,
  engine: EXIT.engine,
  remote: EXIT.remote,
} as const satisfies Record<ErrorKind, ExitCode>;

/** Reports a failure on stderr and sets the exit code; bugs are printed with their stack for a report. */
export async function reportError(error: unknown, ctx: CliContext): Promise<void> {
  if (error instanceof VehiError) {
    ctx.setExitCode(EXIT_OF_KIND[error.kind]);
    const text = `vehi: ${error.message}${error.hint ? `\n  ${error.hint}` : ''}`;
    await write(ctx.stderr, `${wrapForScreen(text, ctx)}\n`);
    return;
  }
  if (isPromptAborted(error)) {
    ctx.setExitCode(EXIT.interrupted);
    return;
  }
  ctx.setExitCode(EXIT.engine);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await write(ctx.stderr, `vehi: this is a bug in vehi, please report it:\n${stack}\n`);
}

/** Wraps a message to the terminal width; in files and pipes it stays on one line. */
function wrapForScreen(text: string, { stderr }: CliContext): string {
  return stderr.isTTY && stderr.columns ? foldLines(text, stderr.columns) : text;
}
