import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../helpers/cli/run-cli.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('pipes');

const output = resolve(ROOT, 'src/cli/terminal/output.ts');

test('two megabytes arrive whole at a slow reader', () => {
  const script = `import { write } from ${JSON.stringify(output)}; await write(process.stdout, 'x'.repeat(2_000_000) + 'end'); process.exitCode = 7;`;
  writeFileSync(join(dir, 'writer.mjs'), script);
  const reader = `node --import tsx ${join(dir, 'writer.mjs')} | (sleep 1; cat) | wc -c; echo "\${PIPESTATUS[0]}"`;
  const { stdout } = spawnSync('bash', ['-c', reader], { cwd: ROOT, encoding: 'utf8' });
  expect(stdout.split('\n').map((line) => line.trim())).toEqual(['2000003', '7', '']);
});

test('a device stays a device, a link stays a link', async () => {
  const { writeFileWhole } = await import('../../../src/cli/terminal/output.ts');
  await writeFileWhole('/dev/null', 'nothing');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  writeFileSync(join(dir, 'real.txt'), 'old');
  symlinkSync(join(dir, 'real.txt'), join(dir, 'link.txt'));
  await writeFileWhole('link.txt', 'new', dir);
  expect(lstatSync(join(dir, 'link.txt')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(dir, 'real.txt'), 'utf8')).toBe('new');
  symlinkSync('made.txt', join(dir, 'to-nothing.txt'));
  await writeFileWhole('to-nothing.txt', 'first', dir);
  expect(lstatSync(join(dir, 'to-nothing.txt')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(dir, 'made.txt'), 'utf8')).toBe('first');
});

test('a file is replaced whole or not at all', async () => {
  const { writeFileWhole } = await import('../../../src/cli/terminal/output.ts');
  await writeFileWhole('a/b.txt', 'first', dir);
  await writeFileWhole('a/b.txt', 'second', dir);
  expect(readFileSync(join(dir, 'a/b.txt'), 'utf8')).toBe('second');
  expect(readdirSync(join(dir, 'a'))).toEqual(['b.txt']);
  const longest = `${'x'.repeat(251)}.txt`;
  await writeFileWhole(longest, 'as long as a name may be', dir);
  expect(existsSync(join(dir, longest))).toBe(true);
  await expect(writeFileWhole('a/b.txt/c', 'x', dir)).rejects.toThrow('cannot write a/b.txt/c');
});

test.skipIf(!existsSync('/dev/full')).each([
  ['what is awaited', ['regions', 'list']],
  ['help, which is not', ['--help']],
])('a full disk behind the output is named: %s', (_, args) => {
  const line = `node ${join(ROOT, 'bin/vehi.js')} ${args.join(' ')} > /dev/full`;
  const { status, stderr } = spawnSync('bash', ['-c', line], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, 'vehi: cannot write the output: no space left on device\n']);
});

test('a result may come through a pipe that has a path', () => {
  const file = join(dir, 'result.json');
  writeFileSync(file, JSON.stringify(exampleInspection({ damages: 1, photos: 1, rich: false })));
  const line = `node ${join(ROOT, 'bin/vehi.js')} report <(cat ${file}) --format csv`;
  const { status, stdout } = spawnSync('bash', ['-c', line], { encoding: 'utf8' });
  expect([status, stdout.trim().split('\n').length]).toEqual([0, 2]);
});
