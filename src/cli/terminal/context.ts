import type { Readable, Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import type { ColorSupportLevel } from 'chalk';

type InputStream = Readable & { isTTY?: boolean };
export type OutputStream = Writable & { isTTY?: boolean; columns?: number };
export type StopSignal = 'SIGINT' | 'SIGTERM';

/** Last part of the message after the first stop signal. */
export const PRESS_AGAIN = 'press Ctrl-C again to stop now';

/** Environment of a command, created once in `main` and faked in tests. */
export interface CliContext {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  now(): Date;
  /** True if prompts are allowed: stdin and stderr are terminals, outside CI and without --no-input. */
  readonly interactive: boolean;
  /** True if prompts led the user to the command, which then offers follow-up actions. */
  readonly guided?: boolean;
  /** Color level per stream: 0 none … 3 true color. */
  readonly color: { readonly stdout: ColorSupportLevel; readonly stderr: ColorSupportLevel };
  setExitCode(code: number): void;
  /**
   * Calls `handler` on the first SIGINT or SIGTERM instead of exiting. A second signal at least half a second later
   * terminates the process by that signal. Returns a function that removes the handler.
   */
  onStop(handler: (signal: StopSignal) => void): () => void;
}

/** Creates the context of a real run; `argv` is read only for flags common to all commands. */
export function createProcessContext(argv: readonly string[]): CliContext {
  const { stdin, stdout, stderr, env } = process;
  const flags = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  return {
    stdin,
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    now: () => new Date(),
    interactive: Boolean(stdin.isTTY && stderr.isTTY) && !flags.includes('--no-input') && !env.CI,
    color: { stdout: chooseColorLevel(stdout, env, flags), stderr: chooseColorLevel(stderr, env, flags) },
    setExitCode: (code) => {
      process.exitCode = code;
    },
    onStop,
  };
}

/** Aborts `signal` on the first stop signal, which `stopped` then returns; `remove` removes the handler. */
export function listenForStop(
  ctx: CliContext,
  onStop: (signal: StopSignal) => void = () => undefined,
): { signal: AbortSignal; stopped: () => StopSignal | null; remove: () => void } {
  const abort = new AbortController();
  const remove = ctx.onStop((signal) => {
    abort.abort(signal);
    onStop(signal);
  });
  return { signal: abort.signal, stopped: () => abort.signal.reason ?? null, remove };
}

/** Debounce in milliseconds: `timeout`, npm and the terminal each forward one Ctrl-C, faster than a user. */
const SAME_PRESS_MS = 500;

function onStop(handler: (signal: StopSignal) => void): () => void {
  let firstAtMs: number | null = null;
  const listen = (signal: StopSignal) => {
    if (firstAtMs === null) {
      firstAtMs = performance.now();
      handler(signal);
      return;
    }
    if (performance.now() - firstAtMs < SAME_PRESS_MS) return;
    // The process ends by a signal, because process.exit() aborts if a model is running in a worker.
    remove();
    process.kill(process.pid, signal);
  };
  const remove = () => {
    process.off('SIGINT', listen);
    process.off('SIGTERM', listen);
  };
  process.on('SIGINT', listen);
  process.on('SIGTERM', listen);
  return remove;
}

/** Color level of chalk by the bits per pixel of a terminal. */
const LEVELS: Readonly<Record<number, ColorSupportLevel>> = { 1: 0, 4: 1, 8: 2, 24: 3 };

/**
 * Returns the color level of a stream: the level that Node detects in the environment (FORCE_COLOR, TERM, COLORTERM, CI
 * …), unless --no-color, --color or NO_COLOR override it, in this order.
 */
export function chooseColorLevel(
  { isTTY }: { isTTY?: boolean },
  { NO_COLOR, ...env }: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): ColorSupportLevel {
  const isForced = flags.includes('--color');
  if (flags.includes('--no-color') || (NO_COLOR && !isForced)) return 0;
  if (!isTTY && !isForced && env.FORCE_COLOR === undefined) return 0;
  const level = LEVELS[WriteStream.prototype.getColorDepth(env)] ?? 0;
  return isForced ? (Math.max(level, 1) as ColorSupportLevel) : level;
}
