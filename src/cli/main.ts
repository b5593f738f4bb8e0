/*
 * vehi: inspects photos of a vehicle on your own machine.
 *
 *   bin/vehi.js ─▶ cli/main ─▶ cli/program ─▶ one command (cli/inspect, cli/assess …) ─▶ engine ─▶ images · vision · domain · pricing
 *                                                    └─▶ report (table, json, pdf …) · server (vehi serve)
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { CommanderError } from 'commander';
import { switchOffTelemetry } from '../config/telemetry.ts';
import { VehiError } from '../lib/errors.ts';
import { escapeName } from '../lib/names.ts';
import { buildProgram } from './program.ts';
import { type CliContext, createProcessContext } from './terminal/context.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { isReaderGone, makeOutputError } from './terminal/output.ts';

/** Runs one command line; the exit code is set on the context, the process is never terminated. */
export async function main(argv: readonly string[], ctx: CliContext = createProcessContext(argv)) {
  switchOffTelemetry();
  // A closed pipe ends the output, not the program. Awaited writes report their own errors; help is unawaited.
  let outputError: Error | undefined;
  ctx.stdout.on('error', (error) => {
    if (!isReaderGone(error)) outputError ??= makeOutputError(error);
  });
  // Errors of stderr cannot be reported anywhere.
  ctx.stderr.on('error', () => undefined);
  let failure: unknown;
  try {
    refuseBrokenText(argv.slice(2), ctx);
    const isGuided = ctx.interactive && hasNoArguments(argv);
    const words = isGuided ? await (await import('./prompt-for-task.ts')).promptForTask(ctx) : [];
    if (words === null) return;
    await buildProgram({ ...ctx, guided: isGuided }).parseAsync([...argv, ...words]);
  } catch (error) {
    if (error instanceof CommanderError) ctx.setExitCode(error.exitCode === 0 ? EXIT.done : EXIT.usage);
    else failure = error;
  }
  // Stream errors arrive after the write call returns.
  await setImmediate();
  failure ??= outputError;
  if (failure) await (await import('./terminal/errors.ts')).reportError(failure, ctx);
}

/**
 * Node replaces bytes of the command line and environment that are not UTF-8, which would silently change a name.
 * @throws VehiError usage/NOT_UTF8 unless a file has that exact name
 */
function refuseBrokenText(words: readonly string[], { env, cwd }: CliContext): void {
  const set = Object.entries(env).filter(([name]) => name.startsWith('VEHI_'));
  const broken = [
    ...words.map((text) => ({ text, words: `the argument ${text}` })),
    ...set.map(([name, text = '']) => ({ text, words: `${name}=${text}` })),
  ].find(({ text }) => text.includes('\uFFFD') && !existsSync(resolve(cwd, text)));
  if (broken === undefined) return;
  throw new VehiError('usage', 'NOT_UTF8', `${escapeName(broken.words)} is not UTF-8.`, {
    hint: 'Type it in a terminal set to UTF-8, or give the value in a file.',
  });
}

const hasNoArguments = (argv: readonly string[]): boolean =>
  argv.slice(2).every((word) => word === '--color' || word === '--no-color');
