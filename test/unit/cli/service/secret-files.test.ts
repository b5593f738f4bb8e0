import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readSecret } from '../../../../src/cli/service/secret.ts';
import type { CliContext } from '../../../../src/cli/terminal/context.ts';

const cwd = mkdtempSync(join(tmpdir(), 'vehi-secret-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const FILES = { one: 'hidden\n', windows: 'hidden\r\n', bare: 'hidden', two: 'hidden\nmore\n', empty: '\n' };
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text);

const read = (env: Record<string, string>) => readSecret('SECRET', { env, cwd } as unknown as CliContext);

it.each([
  [{}, undefined],
  [{ SECRET: '', SECRET_FILE: '' }, undefined],
  [{ SECRET: 'hidden' }, 'hidden'],
  [{ SECRET: '', SECRET_FILE: 'one' }, 'hidden'],
  [{ SECRET_FILE: 'windows' }, 'hidden'],
  [{ SECRET_FILE: join(cwd, 'bare') }, 'hidden'],
])('%j is %s', (env, secret) => {
  expect(read(env as Record<string, string>)).toBe(secret);
});

it.each([
  [{ SECRET: 'hidden', SECRET_FILE: 'one' }, /SECRET and SECRET_FILE are both set/],
  [{ SECRET_FILE: 'none' }, /SECRET_FILE: cannot read none \(no such file/],
  [{ SECRET_FILE: 'two' }, /two has more than one line/],
  [{ SECRET_FILE: 'empty' }, /empty is empty/],
])('%j is refused, not shown', (env, why) => {
  expect(() => read(env as Record<string, string>)).toThrow(why);
  expect(() => read(env as Record<string, string>)).not.toThrow(/hidden/);
});
