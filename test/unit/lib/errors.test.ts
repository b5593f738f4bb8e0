import { copyFileSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { toReason } from '../../../src/lib/errors.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

let dir: string;
beforeEach(() => {
  dir = makeOwnFolder("reason-it's");
});

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
