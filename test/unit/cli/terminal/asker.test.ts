import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Asker, isPromptAborted, promptForPath } from '../../../../src/cli/terminal/asker.ts';
import { answering } from '../../../helpers/cli/answering.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('asker');
writeFileSync(join(dir, 'front.jpg'), '');

it.each([
  ['front.jpg', 'front.jpg'],
  ['  front.jpg ', 'front.jpg'],
  // Enter alone, and a blank, are this folder.
  ['', '.'],
  [' ', '.'],
])('the place %j is %s', async (typed, place) => {
  expect(await promptForPath('Folder or photo', answering([typed]), dir)).toBe(place);
});

it('refuses a place that is not there', async () => {
  const input: Asker['input'] = async (_, check) => String(await check?.('nowhere'));
  const said = await promptForPath('Folder or photo', { input } as Asker, dir);
  expect(said).toBe('There is no file or folder nowhere here.');
});

it('knows the error of a question that was left', () => {
  const left = Object.assign(new Error('left'), { name: 'ExitPromptError' });
  expect([left, new Error('left'), { name: 'ExitPromptError' }].map(isPromptAborted)).toEqual([
    true,
    false,
    false,
  ]);
});
