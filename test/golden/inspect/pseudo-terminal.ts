import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../../helpers/cli/run-cli.ts';

/** expect(1) makes the pseudo-terminal; without it such tests are skipped. */
export const HAS_EXPECT = spawnSync('expect', ['-v']).status === 0;

export const ENTER = '\r';
export const DOWN = '\u001b[B';

/** What is waited for on the screen, and what is typed then, or the signal that is sent so many times in a row. */
export type Step = readonly [
  shown: string,
  then?: string | { readonly signal: 'SIGINT' | 'SIGTERM'; readonly times: number },
];

/** Seconds until a step counts as failed. */
const PATIENCE = 100;

const quote = (text: string) =>
  `"${text
    .replace(/[\\"$[\]]/g, '\\$&')
    .replaceAll('\r', '\\r')
    .replaceAll('\u001b', '\\033')}"`;

function writeStep([shown, then]: Step, index: number): readonly string[] {
  const wait = `expect -ex ${quote(shown)} {} timeout { exit ${90 + index} } eof { exit ${90 + index} }`;
  if (then === undefined) return [wait];
  if (typeof then === 'string') return [wait, `send ${quote(then)}`];
  return [wait, ...Array<string>(then.times).fill(`exec kill -${then.signal.slice(3)} [exp_pid]`)];
}

/**
 * Runs the built command line on a terminal of 30 rows and 100 columns, typing as the steps say.
 * @returns everything shown, and the exit code of vehi; 90 and more: the step of that number less 90 never came
 */
export function runOnTerminal(
  dir: string,
  words: readonly string[],
  steps: readonly Step[],
  env: Readonly<Record<string, string>> = {},
): { readonly shown: string; readonly code: number | null } {
  const script = [
    `set timeout ${PATIENCE}`,
    'set stty_init "rows 30 columns 100"',
    `spawn ${[process.execPath, resolve(ROOT, 'bin/vehi.js'), ...words].map(quote).join(' ')}`,
    ...steps.flatMap(writeStep),
    'expect eof {} timeout { exit 89 }',
    'catch wait ended',
    'exit [lindex $ended 3]',
  ];
  writeFileSync(join(dir, 'script.exp'), script.join('\n'));
  const { PATH = '' } = process.env;
  const own = { PATH, HOME: dir, XDG_CONFIG_HOME: '/nonexistent', TERM: 'xterm', LC_ALL: 'C.UTF-8' };
  const run = spawnSync('expect', ['-f', 'script.exp'], {
    cwd: dir,
    encoding: 'utf8',
    env: { ...own, ...env },
  });
  return { shown: run.stdout + run.stderr, code: run.status };
}
