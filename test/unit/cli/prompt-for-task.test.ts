import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { promptForTask } from '../../../src/cli/prompt-for-task.ts';
import { quoteCommandLine } from '../../../src/cli/terminal/shell-words.ts';
import { answering } from '../../helpers/cli/answering.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('offer');
writeFileSync(join(dir, 'r.json'), '{}');

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
  expect(quoteCommandLine(["it's\u001b[31m"])).toBe("$'it\\'s\\u001b[31m'");
});
