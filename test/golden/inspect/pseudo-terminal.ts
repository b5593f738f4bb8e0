import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../../helpers/cli/run-cli.ts';

/** expect(1) makes the pseudo-terminal; without it such tests are skipped. */
export const HAS_EXPECT = spawnSync('expect', ['-v']).status === 0;

export const ENTER = '\r';
export const DOWN = '\u001b[B';

/** A signal sent to vehi, so many times in a row. */
export interface Signal {
  readonly signal: 'SIGINT' | 'SIGTERM';
  readonly times: number;
}

/** What is waited for on the screen, and what is typed or sent then. */
export type Step = readonly [shown: string, then?: string | Signal];

function sent({ signal, times }: Signal): readonly string[] {
  return Array.from({ length: times }, () => `exec kill -${signal.slice(3)} [exp_pid]`);
}

/** Seconds until a step counts as failed. */
const PATIENCE = 100;

/**
 * Runs the built command line on a terminal, of 30 rows and 100 columns unless said otherwise, typing as the steps say.
 * @returns everything shown, and the exit code of vehi; 90 and more: the step of that number less 90 never came
 */
export function runOnTerminal(
  dir: string,
  words: readonly string[],
  steps: readonly Step[],
  env: Readonly<Record<string, string>> = {},
  screen: { readonly rows: number; readonly columns: number } = { rows: 30, columns: 100 },
): { readonly shown: string; readonly code: number | null } {
  const tcl = (text: string) =>
    `"${text
      .replace(/[\\"$[\]]/g, '\\$&')
      .replaceAll('\r', '\\r')
      .replaceAll('\u001b', '\\033')}"`;
  const script = [
    `set timeout ${PATIENCE}`,
    `set stty_init "rows ${screen.rows} columns ${screen.columns}"`,
    `spawn ${[process.execPath, resolve(ROOT, 'bin/vehi.js'), ...words].map(tcl).join(' ')}`,
    ...steps.flatMap(([shown, then], index) => [
      `expect -ex ${tcl(shown)} {} timeout { exit ${90 + index} } eof { exit ${90 + index} }`,
      ...(then === undefined ? [] : typeof then === 'string' ? [`send ${tcl(then)}`] : sent(then)),
    ]),
    'expect eof {} timeout { exit 89 }',
    'catch wait ended',
    'exit [lindex $ended 3]',
  ].join('\n');
  writeFileSync(join(dir, 'script.exp'), script);
  const run = spawnSync('expect', ['-f', 'script.exp'], {
    cwd: dir,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: dir,
      XDG_CONFIG_HOME: '/nonexistent',
      TERM: 'xterm',
      LC_ALL: 'C.UTF-8',
      ...env,
    },
  });
  return { shown: run.stdout + run.stderr, code: run.status };
}
