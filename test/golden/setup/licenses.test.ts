import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, runCli } from '../../helpers/cli/run-cli.ts';

test('vehi licenses names every production dependency with its licence', async () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'));
  const run = await runCli(['licenses', '--json']);
  expect(run.code).toBe(0);
  const { packages } = JSON.parse(run.stdout) as { packages: { name: string; license: string }[] };
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(names).not.toContain(Object.keys(devDependencies).find((name) => name === 'vitest'));
  expect(packages.find(({ name }) => name === 'commander')?.license).toBe('MIT');
  expect((await runCli(['licenses'])).stdout).toMatch(/^package +version +licence\n/);
  expect((await runCli(['licenses', '--jsn'])).code).toBe(2);
});
