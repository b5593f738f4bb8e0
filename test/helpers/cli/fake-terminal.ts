import { PassThrough, Readable } from 'node:stream';
import type { CliContext, OutputStream, StopSignal } from '../../../src/cli/terminal/context.ts';

/** A context without a process, whose clock stands still: what was written and the exit code can be read afterwards. */
export function fakeTerminal(options: {
  readonly columns?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly interactive?: boolean;
  /** What is piped in. */
  readonly stdin?: string | Uint8Array;
  readonly isTTY?: boolean;
}) {
  const collect = () => {
    const stream = new PassThrough() as OutputStream & PassThrough;
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    if (options.columns !== undefined) stream.columns = options.columns;
    if (options.isTTY) stream.isTTY = true;
    return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
  };
  const out = collect();
  const err = collect();
  const terminal = {
    stdout: out.text,
    stderr: err.text,
    code: null as number | null,
    /** Ends what runs as a first TERM would. */
    stop: () => {},
    ctx: {
      stdin: options.stdin === undefined ? new PassThrough() : Readable.from([options.stdin]),
      stdout: out.stream,
      stderr: err.stream,
      env: { XDG_CONFIG_HOME: '/nonexistent', ...options.env },
      cwd: options.cwd ?? '/',
      now: () => new Date('2026-01-31T12:00:00Z'),
      interactive: options.interactive ?? false,
      color: { stdout: 0, stderr: 0 },
      setExitCode: (code: number) => {
        terminal.code = code;
      },
      onStop: (handler: (signal: StopSignal) => void) => {
        terminal.stop = () => handler('SIGTERM');
        return () => undefined;
      },
    } satisfies CliContext,
  };
  return terminal;
}
