import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FIXTURES, ROOT } from '../../helpers/cli/run-cli.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const PROGRAM = resolve(ROOT, 'bin/vehi.js');

function runShell(script: string, cwd: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('what goes wrong before a command runs', () => {
  it('names a working folder that was deleted', () => {
    const folder = makeOwnFolder('gone');
    const script = `mkdir gone && cd gone && rmdir ../gone && '${process.execPath}' '${PROGRAM}' inspect photos`;
    expect(runShell(script, folder)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^vehi: the working folder was deleted\. Change to another folder\.$/m),
    });
  });

  it.each([24, 30])('never ends with the code of a threshold where only %d files may be open', (limit) => {
    const script = `ulimit -n ${limit}; '${process.execPath}' '${PROGRAM}' inspect '${FIXTURES}/demo'`;
    expect(runShell(script, ROOT)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'vehi: too many files are open. Raise the limit: ulimit -n 1024\n',
    });
  });

  // What no command foresees, thrown while one runs; a threshold that is hit is 1.
  it.each([
    ['an error in a timer', 'throw new Error("lost")'],
    ['a rejection that nobody handles', 'Promise.reject(new Error("lost"))'],
    ['a thrown value that is no error', 'throw undefined'],
  ])('%s ends with 4', (_, script) => {
    // Runs before the program, so it waits until that handles errors.
    const early = `const timer = setInterval(() => { if (process.listenerCount('uncaughtException') > 0) { clearInterval(timer); ${script} } }, 1)`;
    const hook = `data:text/javascript,${encodeURIComponent(early).replaceAll("'", '%27')}`;
    const { status, stderr } = runShell(
      `NODE_OPTIONS='--import=${hook}' '${process.execPath}' '${PROGRAM}' regions list`,
      ROOT,
    );
    expect({ status, stderr }).toEqual({ status: 4, stderr: expect.stringMatching(/^vehi: .*bug/m) });
  });
});
