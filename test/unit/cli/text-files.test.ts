import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { makeOwnFolder } from '../../helpers/own-folder.ts';

const dir = makeOwnFolder('text-files');
const run = async (...words: string[]) => {
  const terminal = fakeTerminal({ cwd: dir, env: { XDG_CONFIG_HOME: join(dir, 'config') } });
  await main(['node', 'vehi', ...words], terminal.ctx);
  return { stdout: terminal.stdout(), stderr: terminal.stderr(), code: terminal.code };
};

it.each([
  ['an assess file', ['assess', 'bad.json'], 'bad.json: byte 12'],
  ['a result', ['report', 'bad.json'], 'bad.json: byte 12'],
  ['bills', ['regions', 'fit', 'bad.json'], 'byte 12'],
  ['a list of vehicles', ['inspect', '--many', 'bad.csv', '-o', 'out'], 'byte 12'],
])('%s that is not UTF-8 is refused with its byte', async (_, words, said) => {
  writeFileSync(join(dir, 'bad.json'), Buffer.from('{"owner": "\xfc"}', 'latin1'));
  writeFileSync(join(dir, 'bad.csv'), Buffer.from('{"owner": "\xfc"}', 'latin1'));
  const { stdout, stderr, code } = await run(...words);
  expect(stderr).toContain(said);
  expect(stderr).toContain('Windows-1252');
  expect(stdout).toBe('');
  expect(code).toBeGreaterThanOrEqual(2);
});

test('an argument that is not UTF-8 is refused, unless it names a file', async () => {
  expect(await run('regions', 'show', 'M\uFFFDller')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not UTF-8'),
  });
  mkdirSync(join(dir, 'M\uFFFDller'));
  expect((await run('inspect', 'M\uFFFDller')).stderr).not.toContain('is not UTF-8');
});

test('config set keeps a path of the folder it was called in', async () => {
  expect((await run('config', 'set', 'regions', './mine.json')).code).toBe(null);
  expect((await run('config')).stdout).toContain(join(dir, 'mine.json'));
});
