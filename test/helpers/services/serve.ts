import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { ROOT } from '../cli/run-cli.ts';

/** What `vehi serve` prints once it answers. */
export interface ServeLine {
  readonly address: string;
  readonly api_key: string;
  readonly demo_photos: readonly string[];
}

/** A `vehi serve` process that answers. */
export interface Serving {
  readonly line: ServeLine;
  readonly child: ChildProcess;
  readonly stderr: () => string;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts the built `vehi serve` on a free port and waits for its one line on stdout. */
export async function startServe(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const child = spawn(process.execPath, [resolve(ROOT, 'bin/vehi.js'), 'serve', '--port', '0', ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent', ...env },
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  const failed = ended.then(({ code }) => Promise.reject(new Error(`ended with ${code}: ${stderr}`)));
  const [line] = await Promise.race([once(child.stdout, 'data'), failed]);
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { line: JSON.parse(String(line)), child, stderr: () => stderr, stop };
}
