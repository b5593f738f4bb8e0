import { resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { main } from '../../../src/cli/main.ts';
import type { CliContext } from '../../../src/cli/terminal/context.ts';
import { type CliOptions, type CliRun, ROOT } from './run-cli.ts';

/**
 * Runs the built command line in this process, with the same words, streams and settings as `runCli`. For rows about what
 * is said, written and ended with: a process of its own costs each of them a third of a second. Signals, pipes, terminals
 * and what `bin/vehi.js` does need `runCli`.
 */
export async function runInside(
  args: readonly string[],
  { cwd = ROOT, env = {}, stdin = '' }: Omit<CliOptions, 'onStart'> = {},
): Promise<CliRun> {
  const built = (await import(resolve(ROOT, 'dist/cli/main.js'))) as { main: typeof main };
  return runMain(built.main, args, {
    cwd,
    env: { HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent', FORCE_COLOR: '0', CI: 'true', ...env },
    stdin: Readable.from(stdin === '' ? [] : [stdin]),
  });
}

/** Runs one command line in this process and collects what it says. */
export async function runMain(
  run: typeof main,
  args: readonly string[],
  where: Pick<CliContext, 'cwd' | 'env' | 'stdin'> & Partial<CliContext>,
): Promise<CliRun & { readonly bytes: Buffer }> {
  const [stdout, stderr] = [collect(), collect()];
  let code = 0;
  await run(['node', 'vehi', ...args], {
    stdout: stdout.stream,
    stderr: stderr.stream,
    now: () => new Date(),
    interactive: false,
    color: { stdout: 0, stderr: 0 },
    setExitCode: (value) => {
      code = value;
    },
    onStop: () => () => undefined,
    ...where,
  });
  const bytes = stdout.all();
  return { code, signal: null, stdout: bytes.toString(), stderr: stderr.all().toString(), bytes };
}

function collect() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, all: () => Buffer.concat(chunks) };
}
