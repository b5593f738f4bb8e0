import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT, runCli } from '../../helpers/cli/run-cli.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('completion');
const scripts: Record<string, string> = {};
/** The scripts ask the program on the path. */
const env = { ...process.env, HOME: dir, PATH: `${join(dir, 'bin')}:${process.env.PATH}` };
beforeAll(async () => {
  mkdirSync(join(dir, 'bin'));
  symlinkSync(join(ROOT, 'bin/vehi.js'), join(dir, 'bin/vehi'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout, code } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    scripts[shell] = stdout;
    writeFileSync(join(dir, shell), stdout);
  }
});

function has(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).status === 0;
}

describe('in bash', () => {
  test.each([
    ['vehi ins', 'inspect'],
    ['vehi regions va', 'validate'],
    ['vehi inspect --region EU_G', 'EU_GERMANY'],
    ['vehi inspect photos --fail-on sev', 'severe'],
    ['vehi assess --curr', '--currency'],
    ['vehi help exit', 'exit-codes'],
    ['vehi help insp', 'inspect'],
    ['vehi help admin ke', 'keys'],
    ['vehi --no-color insp', 'inspect'],
    ['vehi config set reg', 'region'],
    ['vehi config set region EU_G', 'EU_GERMANY'],
    ['vehi config set language d', 'de'],
    ['vehi completion z', 'zsh'],
    ['vehi inspect --fail-on = sev', 'severe'],
  ])('%s', (typed, completed) => {
    const words = typed.split(' ');
    const script = `source ${join(dir, 'bash')}; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _vehi; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], {
      encoding: 'utf8',
      cwd: dir,
      env,
    });
    expect(stderr).toBe('');
    expect(stdout.trim().split(' ')).toContain(completed);
  });

  test.each([
    ['vehi inspect --format pd', 'what inspect does not print'],
    ['vehi report r.json --fail-on ne', 'what only comparisons have'],
    ['vehi compare a b --fail-on sev', 'severities'],
    ['vehi inspect front', 'files, which bash completes itself'],
  ])('%s: nothing is offered of %s', (typed) => {
    writeFileSync(join(dir, 'front left.jpg'), '');
    const words = typed.split(' ');
    const script = `source ${join(dir, 'bash')}; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _vehi; echo "\${#COMPREPLY[@]}"; complete -p vehi`;
    const { stdout } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', cwd: dir, env });
    expect(stdout).toBe('0\ncomplete -o default -F _vehi vehi\n');
  });
});

describe('in zsh and fish', () => {
  test.skipIf(!has('zsh'))('zsh takes the script', () => {
    const run = spawnSync(
      'zsh',
      [
        '-fc',
        `autoload -U compinit && compinit -u -d ${dir}/dump && source ${join(dir, 'zsh')} && whence -w _vehi`,
      ],
      { encoding: 'utf8' },
    );
    expect(run.stderr).toBe('');
    expect(run.stdout).toContain('_vehi: function');
  });

  test.skipIf(!has('fish')).each([
    ['vehi regions ', 'fit', 'list', 'show', 'validate'],
    ['vehi inspect --region=EU_G', '--region=EU_GERMANY', '--region=EU_GERMANY_CLAIMS'],
    ['vehi inspect fish', 'fish'],
  ])('fish: %s', (typed, ...completed) => {
    const script = `source ${join(dir, 'fish')}; complete -C '${typed}'`;
    const run = spawnSync('fish', ['--no-config', '-c', script], { encoding: 'utf8', cwd: dir, env });
    expect(run.stdout.trim().split('\n')).toEqual(completed);
  });
});
