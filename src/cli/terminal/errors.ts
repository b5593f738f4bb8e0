import { tmpdir } from 'node:os';
import { type ErrorKind, toReason, VehiError } from '../../lib/errors.ts';
import type { FieldFault } from '../../lib/fields.ts';
import { findMissingPart } from '../../lib/missing-packages.ts';
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
  const error =
    thrown instanceof VehiError ? thrown : (findMissingPart(thrown) ?? findTemporaryFault(thrown) ?? thrown);
  if (error instanceof VehiError) {
    ctx.setExitCode(EXIT_OF_KIND[error.kind]);
    return writeFaults(error, ctx);
  }
  if (isPromptAborted(error)) return ctx.setExitCode(EXIT.interrupted);
  ctx.setExitCode(EXIT.engine);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await write(ctx.stderr, `vehi: this is a bug in vehi, please report it:\n${stack}\n`);
}

/** Returns the error for a temporary folder that cannot be made; undefined for any other error. */
function findTemporaryFault(error: unknown): VehiError | undefined {
  if ((error as NodeJS.ErrnoException | undefined)?.syscall !== 'mkdtemp') return undefined;
  const message = `cannot make a temporary folder in ${tmpdir()}: ${toReason(error)}`;
  const hint = 'Set TMPDIR to a folder with room.';
  return new VehiError('usage', 'NO_TEMPORARY_FOLDER', message, { hint });
}

/** Reports an error of the user's on stderr: all its faults, and what to do. */
export function writeFaults(error: VehiError, ctx: Pick<CliContext, 'stderr'>): Promise<void> {
  const { message, hint } = describeFaults(error);
  return writeStatus(ctx, `vehi: ${message}${hint ? `\n  ${hint}` : ''}`);
}

type Fault = Pick<FieldFault, 'message' | 'hint'> & Partial<Pick<FieldFault, 'field'>>;

/** Returns message and hint of an error; if there are several faults, the message lists all, one per line. */
export function describeFaults({ message, hint, details }: VehiError): Pick<VehiError, 'message' | 'hint'> {
  const { errors: faults = [], file } = (details ?? {}) as { errors?: readonly Fault[]; file?: string };
  if (faults.length < 2) return { message, hint };
  const lines = faults.map((fault) => {
    const isNamed = fault.field === undefined || fault.message.includes(fault.field);
    const text = isNamed ? fault.message : `${fault.field}: ${fault.message}`;
    return `\n  ${text}${fault.hint === undefined ? '' : ` ${fault.hint}`}`;
  });
  const count = `${faults.length} faults:${lines.join('')}`;
  if (file === undefined) return { message: count, hint: undefined };
  // The text before the file names the setting that it comes from.
  const origin = message.slice(0, Math.max(0, message.indexOf(file)));
  return { message: `${origin}${file}: ${count}`, hint };
}
