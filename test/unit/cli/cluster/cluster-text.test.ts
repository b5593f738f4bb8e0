import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { formatShellVariables, renderClusterText } from '../../../../src/cli/cluster/cluster-text.ts';

const facts = {
  address: 'http://127.0.0.1:8080',
  apiKey: 'dev_x',
  data: './try',
  workers: 1,
  postgres: 'PostgreSQL 15',
};

it.each([
  ['./try', '. ./try/env'],
  ['try', '. ./try/env'],
  ['../a b', ". '../a b/env'"],
  ['/srv/try', '. /srv/try/env'],
])('a shell finds the variables of a folder named %s', (data, line) => {
  expect(renderClusterText({ ...facts, data }, 80)).toContain(`\n  ${line}\n`);
});

it('says what to do where the key was removed', () => {
  expect(renderClusterText({ ...facts, apiKey: undefined }, 80)).toContain('vehi keys create');
});

it('variables come back from a shell as they are', () => {
  const value = "unix:///tmp/it's $HOME/run";
  const text = formatShellVariables({ VEHI_REDIS: value });
  expect(execFileSync('sh', ['-c', `${text}\nprintf %s "$VEHI_REDIS"`], { encoding: 'utf8' })).toBe(value);
});
