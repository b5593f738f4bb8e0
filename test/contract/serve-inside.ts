import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import type { StopSignal } from '../../src/cli/terminal/context.ts';
import { ROOT } from '../helpers/cli/run-cli.ts';
import { runMain } from '../helpers/cli/run-inside.ts';
import type { ServeLine } from '../helpers/services/serve.ts';

/**
 * Starts `vehi serve` of the sources in this process, which needs no build. For tests of what it answers; signals and
 * what ends a process need `startServe`.
 */
export async function serveInside(args: readonly string[]) {
  const stdout = new PassThrough();
  let end: (signal: StopSignal) => void = () => undefined;
  const ended = runMain(main, ['serve', '--port', '0', ...args], {
    cwd: ROOT,
    env: { XDG_CONFIG_HOME: '/nonexistent' },
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
    line: JSON.parse(String(line)) as ServeLine,
    /** Asks it to stop. @returns its exit code */
    async stop(): Promise<number | null> {
      end('SIGTERM');
      return (await ended).code;
    },
  };
}
