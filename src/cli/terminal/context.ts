import type { Readable, Writable } from 'node:stream';
import type { ColorSupportLevel } from 'chalk';

type InputStream = Readable & { isTTY?: boolean };
export type OutputStream = Writable & { isTTY?: boolean; columns?: number };
export type StopSignal = 'SIGINT' | 'SIGTERM';

/** Ends the message that follows the first stop signal. */
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
  /** True if prompts led the user to the command; it then offers follow-up actions. */
  readonly guided?: boolean;
  /** Colour level per stream: 0 none … 3 true colour. */
  readonly colour: { readonly stdout: ColorSupportLevel; readonly stderr: ColorSupportLevel };
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
    colour: { stdout: chooseColourLevel(stdout, env, flags), stderr: chooseColourLevel(stderr, env, flags) },
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
  let stopped: StopSignal | null = null;
  const remove = ctx.onStop((signal) => {
    stopped = signal;
    abort.abort();
    onStop(signal);
  });
  return { signal: abort.signal, stopped: () => stopped, remove };
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
    // A signal is used instead of process.exit(), which aborts if a model is running in a worker.
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

/**
 * Returns the colour level of a stream. Precedence: --no-color, --color, NO_COLOR, FORCE_COLOR, terminal capabilities.
 * chalk does not support NO_COLOR, so the level is determined here.
 */
export function chooseColourLevel(
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): ColorSupportLevel {
  if (flags.includes('--no-color')) return 0;
  const terminalLevel = env.COLORTERM === 'truecolor' ? 3 : env.TERM?.includes('256') ? 2 : 1;
  if (flags.includes('--color')) return terminalLevel;
  if (env.NO_COLOR) return 0;
  if (env.FORCE_COLOR !== undefined) return readForcedLevel(env.FORCE_COLOR, terminalLevel);
  if (!stream.isTTY || env.TERM === 'dumb') return 0;
  return terminalLevel;
}

function readForcedLevel(value: string, terminalLevel: ColorSupportLevel): ColorSupportLevel {
  if (value === '0' || value === 'false') return 0;
  if (value === '1' || value === '2' || value === '3') return Number(value) as ColorSupportLevel;
  return terminalLevel;
}
