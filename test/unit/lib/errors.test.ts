import { copyFileSync, mkdtempSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toReason } from '../../../src/lib/errors.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "vehi-reason-it's-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test.each<[string, () => unknown, string]>([
  ['an absent file', () => readFileSync(join(dir, 'no.json')), 'no such file or directory'],
  ['two paths', () => copyFileSync(join(dir, 'a, b.tmp'), join(dir, 'c')), 'no such file or directory'],
  ['a folder', () => readFileSync(dir), 'it is a folder'],
  ['no path at all', () => readSync(9999, Buffer.alloc(1)), 'bad file descriptor'],
  ['another error', () => JSON.parse('{'), "Expected property name or '}' in JSON at position 1"],
])('%s', (_, work, reason) => {
  let caught: unknown;
  try {
    work();
  } catch (error) {
    caught = error;
  }
  expect(toReason(caught)).toContain(reason);
  expect(toReason(caught)).not.toContain(dir);
  expect(toReason(caught)).not.toContain('.tmp');
});
