import type { Readable, Writable } from 'node:stream';
import type { ColorSupportLevel } from 'chalk';

type InputStream = Readable & { isTTY?: boolean };
export type OutputStream = Writable & { isTTY?: boolean; columns?: number };
export type StopSignal = 'SIGINT' | 'SIGTERM';

/** Everything a command may know of the world outside; built once in `main`, faked in tests. */
export interface CliContext {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  now(): Date;
  /** Questions may be asked: stdin and stderr are a terminal and nobody said --no-input. */
  readonly interactive: boolean;
  /** A person was led to the command by questions, and is offered what may follow it. */
  readonly guided?: boolean;
  /** Colour level per stream: 0 none … 3 true colour. */
  readonly colour: { readonly stdout: ColorSupportLevel; readonly stderr: ColorSupportLevel };
  setExitCode(code: number): void;
  /**
   * Calls `handler` at the first Ctrl-C or TERM instead of ending; a second one, half a second later or more, ends the
   * program at once by the signal itself. Returns the function that takes the handler away.
   */
  onStop(handler: (signal: StopSignal) => void): () => void;
}

/** Creates the context of a real run. `argv` is only read for the flags that every command has. */
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

/** `timeout`, npm and the terminal each pass one Ctrl-C on, so it can arrive several times; a person takes longer. */
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
    // By the signal itself, not process.exit(): leaving while a model runs in a worker aborts the process.
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
 * Returns the colour level of one stream. Order: --no-color, --color, NO_COLOR, FORCE_COLOR, then what the terminal
 * states (chalk itself does not know NO_COLOR, so the level is decided here and passed to it).
 */
export function chooseColourLevel(
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): ColorSupportLevel {
  if (flags.includes('--no-color')) return 0;
  const rich = env.COLORTERM === 'truecolor' ? 3 : env.TERM?.includes('256') ? 2 : 1;
  if (flags.includes('--color')) return rich;
  if (env.NO_COLOR) return 0;
  if (env.FORCE_COLOR !== undefined) return readForcedLevel(env.FORCE_COLOR, rich);
  if (!stream.isTTY || env.TERM === 'dumb') return 0;
  return rich;
}

function readForcedLevel(value: string, rich: ColorSupportLevel): ColorSupportLevel {
  if (value === '0' || value === 'false') return 0;
  if (value === '1' || value === '2' || value === '3') return Number(value) as ColorSupportLevel;
  return rich;
}
