import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { main } from '../../../src/cli/main.ts';
import type { StopSignal } from '../../../src/cli/terminal/context.ts';
import type { ServeLine } from '../services/serve.ts';
import { type CliOptions, type CliRun, ROOT } from './run-cli.ts';
import { loadBuilt, runMain } from './run-inside.ts';

/** A command of this process that works until it is stopped. */
export interface Staying<Line> {
  /** What it printed once it was ready. */
  readonly line: Line;
  /** Asks it to stop, as SIGTERM does. */
  stop(): Promise<CliRun>;
}

/**
 * Runs a command in this process until it is ready. For tests of what it answers; signals, the log and what ends a process
 * need `startServe`.
 * @param run default: that of the built command line
 */
export async function startInside<Line = ServeLine>(
  args: readonly string[],
  { env }: Pick<CliOptions, 'env'> = {},
  run?: typeof main,
): Promise<Staying<Line>> {
  const stdout = new PassThrough();
  let end: (signal: StopSignal) => void = () => undefined;
  const ended = runMain(run ?? (await loadBuilt()), args, {
    cwd: ROOT,
    env: { XDG_CONFIG_HOME: '/nonexistent', ...env },
    stdin: new PassThrough(),
    stdout,
    onStop: (handler) => {
      end = handler;
      return () => undefined;
    },
  });
  const failed = ended.then(({ stderr }) => Promise.reject(new Error(stderr)));
  const [line] = await Promise.race([once(stdout, 'data'), failed]);
  return {
    line: JSON.parse(String(line)),
    stop() {
      end('SIGTERM');
      return ended;
    },
  };
}

/** Runs the built `vehi serve` in this process on a free port. */
export const serveInside = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startInside(['serve', '--port', '0', ...args], { env });
