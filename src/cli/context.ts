import type { Readable, Writable } from 'node:stream';

/** Everything a command may know of the world outside; built once in `main`, faked in tests. */
export interface CliContext {
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Writable & { isTTY?: boolean; columns?: number };
  readonly stderr: Writable & { isTTY?: boolean; columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  now(): Date;
  /** Questions may be asked: stdin and stderr are a terminal and nobody said --no-input. */
  readonly interactive: boolean;
  /** Colour level per stream: 0 none … 3 true colour. */
  readonly colour: { readonly stdout: 0 | 1 | 2 | 3; readonly stderr: 0 | 1 | 2 | 3 };
  setExitCode(code: number): void;
}
