import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../helpers/cli/run-cli.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('completion');
/** The scripts ask the program on the path. */
const env = { ...process.env, HOME: dir, PATH: `${join(dir, 'bin')}:${process.env.PATH}` };
beforeAll(async () => {
  mkdirSync(join(dir, 'bin'));
  symlinkSync(join(ROOT, 'bin/vehi.js'), join(dir, 'bin/vehi'));
  writeFileSync(join(dir, 'front left.jpg'), '');
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(dir, shell), (await runInside(`completion ${shell}`)).stdout);
});

const runShell = (shell: string, ...words: readonly string[]) =>
  spawnSync(shell, words, { encoding: 'utf8', cwd: dir, env });
const has = (shell: string) => runShell(shell, '-c', 'true').status === 0;

test.each<[typed: string, completed: string | undefined]>([
  ['ins', 'inspect'],
  ['inspect --region EU_G', 'EU_GERMANY'],
  ['inspect photos --fail-on sev', 'severe'],
  ['assess --curr', '--currency'],
  ['help exit', 'exit-codes'],
  ['help insp', 'inspect'],
  ['help admin ke', 'keys'],
  ['--no-color insp', 'inspect'],
  ['config set reg', 'region'],
  ['config set region EU_G', 'EU_GERMANY'],
  ['config set language d', 'de'],
  ['completion z', 'zsh'],
  ['inspect --fail-on = sev', 'severe'],
  // What inspect does not print, what only comparisons have, and what they do not.
  ['inspect --format pd', undefined],
  ['report r.json --fail-on ne', undefined],
  ['compare a b --fail-on sev', undefined],
])('vehi %s: %s', async (typed, completed) => {
  const { stdout } = await runInside(`completion words -- ${typed}`);
  const offered = stdout.split('\n').filter((word) => word.startsWith(typed.split(' ').at(-1) ?? ''));
  expect(offered.sort()[0]).toBe(completed);
});

test.each([
  ['vehi ins', 'inspect'],
  ['vehi inspect --fail-on = sev', 'severe'],
  // Files are completed by bash itself.
  ['vehi inspect front', ''],
])('bash: %s', (typed, completed) => {
  const script = `source ${join(dir, 'bash')}; COMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _vehi; echo "\${COMPREPLY[@]}"; complete -p vehi`;
  const { stdout, stderr } = runShell('bash', '--norc', '-c', script);
  expect([stdout, stderr]).toEqual([`${completed}\ncomplete -o default -F _vehi vehi\n`, '']);
});

test.skipIf(!has('zsh'))('zsh takes the script', () => {
  const script = `autoload -U compinit && compinit -u -d ${dir}/dump && source ${join(dir, 'zsh')} && whence -w _vehi`;
  expect(runShell('zsh', '-fc', script)).toMatchObject({ stdout: '_vehi: function\n', stderr: '' });
});

test.skipIf(!has('fish')).each([
  ['vehi regions ', 'fit', 'list', 'show', 'validate'],
  ['vehi inspect --region=EU_G', '--region=EU_GERMANY', '--region=EU_GERMANY_CLAIMS'],
  ['vehi inspect fish', 'fish'],
])('fish: %s', (typed, ...completed) => {
  const run = runShell('fish', '--no-config', '-c', `source ${join(dir, 'fish')}; complete -C '${typed}'`);
  expect(run.stdout.trim().split('\n')).toEqual(completed);
});
