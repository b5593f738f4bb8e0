import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { VehiError } from '../../lib/errors.ts';

/** A user of the system that a program runs as. */
export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** What is started, and how. */
interface ProgramStart {
  /** For messages and the name of the log file. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** File that takes what it writes. */
  readonly log: string;
  readonly user?: SystemUser | undefined;
  /** A Node process that prints one line once it is ready, and ends when this process does. */
  readonly isNode?: boolean;
}

/** A program that runs, or did. */
export interface Child {
  readonly name: string;
  /** The first line that a Node process prints; never resolves where there is none. */
  readonly line: Promise<string>;
  /** Resolves with how it ended. */
  readonly ended: Promise<string>;
  signal(name: NodeJS.Signals): void;
  /** The error of a program that ended before it was ready, with the last lines of its log. */
  failure(how: string): VehiError;
}

/** Lines of a log that an error shows. */
const LINES_SHOWN = 4;

function readLastLines(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LINES_SHOWN).join('\n  ');
  } catch {
    return '';
  }
}

/**
 * Starts a program in a session of its own, so that a Ctrl-C at the terminal reaches this process alone, which ends the
 * others in their order.
 */
export function startChild(start: ProgramStart): Child {
  const log = openSync(start.log, 'a', 0o600);
  const { name, user, isNode = false } = start;
  const child = spawn(start.command, start.args, {
    cwd: start.cwd,
    env: start.env as NodeJS.ProcessEnv,
    detached: true,
    stdio: isNode ? ['ignore', 'pipe', log, 'ipc'] : ['ignore', log, log],
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  });
  closeSync(log);
  const ended = new Promise<string>((done) => {
    child.once('error', (error) => done(error.message));
    child.once('exit', (code, signal) => done(signal ?? `exit code ${code}`));
  });
  const line = new Promise<string>((done) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const end = text.indexOf('\n');
      if (end >= 0) done(text.slice(0, end));
    });
  });
  return {
    name,
    line,
    ended,
    signal: (signal) => void child.kill(signal),
    failure(how) {
      const lines = readLastLines(start.log);
      return new VehiError(
        'engine',
        'CLUSTER_PART_FAILED',
        `${name} ended (${how}) before it was ready${lines === '' ? '' : `\n  ${lines}`}`,
        { hint: `Its log is ${start.log}` },
      );
    },
  };
}

/** Asks every `everyMs` until the program is ready. @throws VehiError engine/CLUSTER_PART_FAILED where it ends before */
export async function waitUntilReady(
  child: Child,
  isReady: () => Promise<boolean>,
  everyMs: number,
): Promise<void> {
  let how: string | undefined;
  void child.ended.then((text) => {
    how = text;
  });
  while (!(await isReady())) {
    if (how !== undefined) throw child.failure(how);
    await sleep(everyMs);
  }
}

/**
 * Waits for the first line that a Node process prints.
 * @throws VehiError engine/CLUSTER_PART_FAILED where it ends before
 */
export function readLine(child: Child): Promise<string> {
  const end = child.ended.then((how) => {
    throw child.failure(how);
  });
  return Promise.race([child.line, end]);
}
