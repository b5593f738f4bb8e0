import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { promptForTask } from '../../../src/cli/prompt-for-task.ts';
import type { Asker } from '../../../src/cli/terminal/asker.ts';
import { quoteCommandLine } from '../../../src/cli/terminal/shell-words.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vehi-offer-'));
  writeFileSync(join(dir, 'r.json'), '{}');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function answering(answers: readonly (string | boolean)[]): Asker {
  const left = [...answers];
  return {
    search: async () => left.shift() as never,
    select: async (_, choices) => {
      const answer = left.shift();
      expect(choices.map(({ value }) => value)).toContain(answer);
      return answer as never;
    },
    input: async (_, check, fallback) => {
      const typed = String(left.shift());
      const text = typed === '' ? (fallback ?? '') : typed;
      expect(await check?.(text)).not.toEqual(expect.stringContaining('There is no'));
      return text;
    },
    password: async () => expect.fail('no secret is asked for'),
    confirm: async () => left.shift() as boolean,
  };
}

test.each<[string, readonly (string | boolean)[], readonly string[] | null]>([
  ['a folder', ['inspect', ''], ['inspect', '.']],
  ['a fleet', ['fleet', '.', ''], ['inspect', '--many', '.', '--output', 'results', '--resume']],
  ['photos by phone', ['capture', ''], ['capture', 'capture']],
  ['assess', ['assess'], ['assess']],
  ['doctor', ['doctor'], ['doctor']],
  ['leave', ['leave'], null],
  ['a result, shown', ['open', 'r.json', 'show'], ['report', 'r.json', '--format', 'table']],
  ['a result, reviewed', ['open', 'r.json', 'review'], ['review', 'r.json']],
])('%s', async (_, answers, words) => {
  const terminal = fakeTerminal({ cwd: dir, interactive: true, env: { VEHI_DATA_DIR: dir } });
  expect(await promptForTask(terminal.ctx, answering(answers))).toEqual(words);
  if (words) expect(terminal.stderr()).toContain(`> ${quoteCommandLine(['vehi', ...words])}`);
});

test('what was typed is printed as a shell reads it', () => {
  expect(quoteCommandLine(['vehi', 'inspect', './a car', "it's"])).toBe("vehi inspect './a car' 'it'\\''s'");
});
