import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');
export const FIXTURES = resolve(ROOT, 'fixtures');

export interface CliRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** The program; default: the built one of this checkout. */
  readonly program?: string;
  /** Called with the child once it runs, e.g. to send a signal. */
  readonly onStart?: (child: ReturnType<typeof spawn>) => void;
}

/** Runs the built command line as a user would; no color, no terminal, the user's own settings out of the way. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [options.program ?? resolve(ROOT, 'bin/vehi.js'), ...args], {
      cwd: options.cwd ?? ROOT,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: '/nonexistent',
        XDG_CONFIG_HOME: '/nonexistent',
        FORCE_COLOR: '0',
        CI: 'true',
        ...options.env,
      },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', fail);
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
    options.onStart?.(child);
  });
}
