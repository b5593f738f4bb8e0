/*
 * vehi: inspects photos of a vehicle on your own machine.
 *
 *   bin/vehi.js ─▶ cli/main ─▶ cli/program ─▶ one command (cli/inspect, cli/assess …) ─▶ engine ─▶ images · vision · domain · pricing
 *                                                    └─▶ report (table, json, pdf …) · server (vehi serve)
 */
import { setImmediate } from 'node:timers/promises';
import { CommanderError } from 'commander';
import { switchOffTelemetry } from '../config/telemetry.ts';
import { buildProgram } from './program.ts';
import { type CliContext, createProcessContext } from './terminal/context.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { isReaderGone, makeOutputError } from './terminal/output.ts';

/** Runs one command line; the exit code is set on the context, never by ending the process. */
export async function main(
  argv: readonly string[],
  ctx: CliContext = createProcessContext(argv),
): Promise<void> {
  switchOffTelemetry();
  // A reader that went away ends the output, not the program. Writes that are awaited report their own errors; help is not.
  let lost: Error | undefined;
  ctx.stdout.on('error', (error) => {
    if (!isReaderGone(error)) lost ??= makeOutputError(error);
  });
  // A message that cannot be shown has nowhere else to go.
  ctx.stderr.on('error', () => undefined);
  let failure: unknown;
  try {
    const words = ctx.interactive && namesNothing(argv) ? await offerTask(ctx) : [];
    if (words === null) return;
    const line = [...argv, ...words];
    const tree = await buildProgram(words.length > 0 ? { ...ctx, guided: true } : ctx, {
      name: line.slice(2).find((word) => !word.startsWith('-')),
    });
    await tree.parseAsync(line);
  } catch (error) {
    if (error instanceof CommanderError) ctx.setExitCode(error.exitCode === 0 ? EXIT.done : EXIT.usage);
    else failure = error;
  }
  // The errors of a stream arrive after the call that wrote to it.
  await setImmediate();
  failure ??= lost;
  if (failure) await (await import('./terminal/errors.ts')).reportError(failure, ctx);
}

/** Returns whether `vehi` was called alone, or with nothing but flags about colour. */
function namesNothing(argv: readonly string[]): boolean {
  return argv.slice(2).every((word) => word === '--color' || word === '--no-color');
}

/** Asks what to do, and returns it as the words after `vehi`; null to leave. */
async function offerTask(ctx: CliContext): Promise<readonly string[] | null> {
  const { offer } = await import('./offer.ts');
  return offer(ctx);
}
