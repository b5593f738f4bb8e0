import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Asker, isPromptAborted, promptForPath } from '../../../../src/cli/terminal/asker.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('asker');
writeFileSync(join(dir, 'front.jpg'), '');

/** An asker to whom a person types these words, one after the other until one is taken. */
function typing(...words: string[]) {
  const said: (true | string)[] = [];
  const asker = {
    async input(_message: string, check?: (text: string) => unknown, fallback?: string) {
      for (const word of words) {
        const verdict = (await check?.(word || (fallback ?? ''))) as true | string;
        said.push(verdict);
        if (verdict === true) return word || fallback || '';
      }
      throw new Error('nothing was taken');
    },
  } as unknown as Asker;
  return { asker, said };
}

it.each([
  ['a photo', ['front.jpg'], 'front.jpg', [true]],
  ['with spaces around it', ['  front.jpg '], 'front.jpg', [true]],
  ['Enter alone is this folder', [''], '.', [true]],
  ['a blank is this folder too', [' '], '.', [true]],
  [
    'asked again for what is not there',
    ['nowhere', 'front.jpg'],
    'front.jpg',
    ['There is no file or folder nowhere here.', true],
  ],
])('a place: %s', async (_name, words, found, said) => {
  const { asker, said: heard } = typing(...words);
  const place = await promptForPath('Folder or photo', asker, dir);
  expect([place, heard]).toEqual([found, said]);
});

it('knows the error of a question that was left', () => {
  const left = Object.assign(new Error('left'), { name: 'ExitPromptError' });
  expect([left, new Error('left'), { name: 'ExitPromptError' }].map(isPromptAborted)).toEqual([
    true,
    false,
    false,
  ]);
});
