/*
 * vehi: inspects photos of a vehicle on your own machine.
 *
 *   bin/vehi.js ─▶ cli/main ─▶ cli/program ─▶ one command (cli/inspect, cli/assess …) ─▶ engine ─▶ images · vision · domain · pricing
 *                                                    └─▶ report (table, json, pdf …) · server (vehi serve)
 */
import { CommanderError } from 'commander';
import { switchOffTelemetry } from '../config/telemetry.ts';
import { program } from './program.ts';
import { type CliContext, processContext } from './terminal/context.ts';
import { EXIT } from './terminal/exit-codes.ts';

/** Runs one command line; the exit code is set on the context, never by ending the process. */
export async function main(argv: readonly string[], ctx: CliContext = processContext(argv)): Promise<void> {
  switchOffTelemetry();
  // A reader that went away ends the output, not the program; writes that matter wait for their own errors.
  ctx.stdout.on('error', ignoreGoneReader);
  ctx.stderr.on('error', ignoreGoneReader);
  try {
    const words = ctx.interactive && namesNothing(argv) ? await offered(ctx) : [];
    if (words === null) return;
    const line = [...argv, ...words];
    const tree = await program(words.length > 0 ? { ...ctx, guided: true } : ctx, {
      name: line.slice(2).find((word) => !word.startsWith('-')),
    });
    await tree.parseAsync(line);
  } catch (error) {
    if (error instanceof CommanderError) ctx.setExitCode(error.exitCode === 0 ? EXIT.done : EXIT.usage);
    else await (await import('./terminal/errors.ts')).reportError(error, ctx);
  }
}

/** Returns whether `vehi` was called alone, or with nothing but flags about colour. */
function namesNothing(argv: readonly string[]): boolean {
  return argv.slice(2).every((word) => word === '--color' || word === '--no-color');
}

/** Asks what to do, and returns it as the words after `vehi`; null to leave. */
async function offered(ctx: CliContext): Promise<readonly string[] | null> {
  const { offer } = await import('./offer.ts');
  return offer(ctx);
}

function ignoreGoneReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
