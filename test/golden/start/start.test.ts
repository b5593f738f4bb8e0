import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeFileWhole } from '../../../src/cli/terminal/output.ts';
import { FIXTURES, ROOT } from '../../helpers/cli/run-cli.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { makeOwnFolder, openFiles } from '../../helpers/temporary-folder.ts';

const { folder: dir, at, read, write } = openFiles(makeOwnFolder('pipes'));
const VEHI = `node ${join(ROOT, 'bin/vehi.js')}`;
function bash(line: string, cwd = ROOT) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('two megabytes arrive whole at a slow reader', () => {
  const output = JSON.stringify(resolve(ROOT, 'src/cli/terminal/output.ts'));
  write(
    'writer.mjs',
    `import { write } from ${output}; await write(process.stdout, 'x'.repeat(2_000_000) + 'end'); process.exitCode = 7;`,
  );
  const { stdout } = bash(
    `node --import tsx ${at('writer.mjs')} | (sleep 1; cat) | wc -c; echo "\${PIPESTATUS[0]}"`,
  );
  expect(stdout.split('\n').map((line) => line.trim())).toEqual(['2000003', '7', '']);
});

test('a device stays a device, a link stays a link', async () => {
  await writeFileWhole('/dev/null', 'nothing');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  write('real.txt', 'old');
  // The second leads to nothing yet.
  for (const [link, target] of [
    ['link.txt', 'real.txt'],
    ['to-nothing.txt', 'made.txt'],
  ] as const) {
    symlinkSync(target, at(link));
    await writeFileWhole(link, 'new', dir);
    expect(lstatSync(at(link)).isSymbolicLink()).toBe(true);
    expect(read(target)).toBe('new');
  }
});

test('a file is replaced whole or not at all', async () => {
  await writeFileWhole('a/b.txt', 'first', dir);
  await writeFileWhole('a/b.txt', 'second', dir);
  expect(read('a/b.txt')).toBe('second');
  expect(readdirSync(at('a'))).toEqual(['b.txt']);
  const longest = `${'x'.repeat(251)}.txt`;
  await writeFileWhole(longest, 'as long as a name may be', dir);
  expect(existsSync(at(longest))).toBe(true);
  await expect(writeFileWhole('a/b.txt/c', 'x', dir)).rejects.toThrow('cannot write a/b.txt/c');
});

test.skipIf(!existsSync('/dev/full')).each([
  ['what is awaited', 'regions list'],
  ['help, which is not', '--help'],
])('a full disk behind the output is named: %s', (_, words) => {
  const { status, stderr } = bash(`${VEHI} ${words} > /dev/full`);
  expect([status, stderr]).toEqual([2, 'vehi: cannot write the output: no space left on device\n']);
});

test('a result may come through a pipe that has a path', () => {
  write('result.json', exampleInspection({ damages: 1, photos: 1, rich: false }));
  const { status, stdout } = bash(`${VEHI} report <(cat ${at('result.json')}) --format csv`);
  expect([status, stdout.trim().split('\n').length]).toEqual([0, 2]);
});

describe('what goes wrong before a command runs', () => {
  test('names a working folder that was deleted', () => {
    const folder = makeOwnFolder('gone');
    const script = `mkdir gone && cd gone && rmdir ../gone && ${VEHI} inspect photos`;
    expect(bash(script, folder)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^vehi: the working folder was deleted\. Change to another folder\.$/m),
    });
  });

  test.each([24, 30])('never ends with the code of a threshold where only %d files may be open', (limit) => {
    const script = `ulimit -n ${limit}; ${VEHI} inspect '${FIXTURES}/demo'`;
    expect(bash(script)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'vehi: too many files are open. Raise the limit: ulimit -n 1024\n',
    });
  });

  // What no command foresees, thrown while one runs; a threshold that is hit is 1.
  test.each([
    ['an error in a timer', 'throw new Error("lost")'],
    ['a rejection that nobody handles', 'Promise.reject(new Error("lost"))'],
    ['a thrown value that is no error', 'throw undefined'],
  ])('%s ends with 4', (_, script) => {
    // Runs before the program, so it waits until that handles errors.
    const early = `const timer = setInterval(() => { if (process.listenerCount('uncaughtException') > 0) { clearInterval(timer); ${script} } }, 1)`;
    const hook = `data:text/javascript,${encodeURIComponent(early).replaceAll("'", '%27')}`;
    const { status, stderr } = bash(`NODE_OPTIONS='--import=${hook}' ${VEHI} regions list`);
    expect({ status, stderr }).toEqual({ status: 4, stderr: expect.stringMatching(/^vehi: .*bug/m) });
  });
});
