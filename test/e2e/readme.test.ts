import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../helpers/cli/run-cli.ts';
import { DOCUMENTS, PICTURES, readDocument, renewOutput, showsOutput } from '../helpers/documents.ts';

test.each(DOCUMENTS.filter(showsOutput))(
  '%s shows what its commands print (npm run readme)',
  async (name) => {
    expect(readDocument(name)).toBe(await renewOutput(name));
  },
);

test('the README is short, its pictures are there and small', () => {
  const text = readDocument('README.md');
  expect(text.split('\n').length).toBeLessThanOrEqual(150);
  const names = readdirSync(PICTURES);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(text).toContain(`(fixtures/readme/${name})`);
  const bytes = names.reduce((sum, name) => sum + statSync(join(PICTURES, name)).size, 0);
  expect(bytes).toBeLessThan(300_000);
});

test.each(DOCUMENTS)('the links of %s lead somewhere', (name) => {
  const folder = join(ROOT, name, '..');
  const links = [...readDocument(name).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link]) => link ?? '');
  expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
});
