import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { main } from '../../../src/cli/main.ts';
import type { CliContext } from '../../../src/cli/terminal/context.ts';
import { TINY_MODELS } from '../photos/drawn-car.ts';
import { makeOwnFolder, openFiles } from '../temporary-folder.ts';
import { fakeTerminal } from './fake-terminal.ts';
import { type CliOptions, type CliRun, ROOT } from './run-cli.ts';

/**
 * Runs the built command line in this process, with the same words, streams and settings as `runCli`. For rows about what
 * is said, written and ended with: a process of its own costs each of them a third of a second. Signals, pipes, terminals
 * and what `bin/vehi.js` does need `runCli`.
 */
export async function runInside(
  line: string | readonly string[],
  {
    cwd = ROOT,
    env = {},
    stdin = '',
    ...clock
  }: Omit<CliOptions, 'onStart'> & Partial<Pick<CliContext, 'now'>> = {},
): Promise<CliRun> {
  return runMain(await loadBuilt(), line, {
    ...clock,
    cwd,
    env: { HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent', FORCE_COLOR: '0', CI: 'true', ...env },
    stdin: Readable.from(stdin === '' ? [] : [stdin]),
  });
}

/**
 * Makes a folder, and runs lines of the built command line in it, at a fixed time and in one thread, as `runInside`.
 * @param models folder of the models; the tiny ones unless given
 */
export function openBuilt(name: string, models = TINY_MODELS) {
  const files = openFiles(makeOwnFolder(name));
  return {
    ...files,
    run: (line: string | readonly string[], env: CliOptions['env'] = {}, stdin = '') =>
      runInside(line, {
        cwd: files.folder,
        env: { VEHI_MODEL_DIR: models, VEHI_THREADS: '1', ...env },
        stdin,
        now: () => new Date('2026-01-31T12:00:00Z'),
      }),
  };
}

/** Loads the built command line. */
export async function loadBuilt(): Promise<typeof main> {
  const built = (await import(resolve(ROOT, 'dist/cli/main.js'))) as { main: typeof main };
  return built.main;
}

/** Runs one command line, its words listed or separated by spaces, in this process and collects what it says. */
export async function runMain(
  run: typeof main,
  line: string | readonly string[],
  where: Pick<CliContext, 'cwd' | 'env' | 'stdin'> & Partial<CliContext>,
): Promise<CliRun> {
  const terminal = fakeTerminal({});
  const words = typeof line === 'string' ? line.split(' ') : line;
  await run(['node', 'vehi', ...words], { ...terminal.ctx, now: () => new Date(), ...where });
  return { code: terminal.code ?? 0, signal: null, stdout: terminal.stdout(), stderr: terminal.stderr() };
}
