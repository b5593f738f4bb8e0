import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { DOWN, ENTER, HAS_EXPECT, runOnTerminal, type Step } from './pseudo-terminal.ts';

const dir = makeOwnFolder('on-terminal');
mkdirSync(join(dir, 'car'));
await writeDrawnCar(join(dir, 'car/front.jpg'));

const TINY = { VEHI_MODEL_DIR: TINY_MODELS, VEHI_DATA_DIR: join(dir, 'data'), VEHI_THREADS: '1' };
const choose = (row: number) => `${DOWN.repeat(row)}${ENTER}`;
const START = 'What should vehi do?';

const onTerminal = test.skipIf(!HAS_EXPECT);
onTerminal.each<[what: string, words: string[], steps: Step[]]>([
  [
    'vehi alone offers what to do, inspects a folder and keeps the result',
    [],
    [
      [START, ENTER],
      ['Folder or photo', `car${ENTER}`],
      ['> vehi inspect car'],
      ['And then?', choose(1)],
      ['File', ENTER],
      ['json written to car.json'],
      ['And then?', choose(4)],
    ],
  ],
  [
    'vehi inspect without photos asks for them, and offers afterwards what can be made of the result',
    ['inspect'],
    [
      ['Folder or photo', `car${ENTER}`],
      ['And then?', ENTER],
      ['File', ENTER],
      ['pdf written to car.pdf'],
      ['And then?', choose(2)],
      ['Folder', ENTER],
      ['1 annotated photo written to car-annotated'],
      ['And then?', choose(4)],
    ],
  ],
])('%s', { timeout: 240_000 }, (_, words, steps) => {
  const { code, shown } = runOnTerminal(dir, words, steps, TINY);
  expect(code, shown).toBe(0);
});

onTerminal('what was chosen lies in the folder', () => {
  expect(readFileSync(join(dir, 'car.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  expect(readdirSync(join(dir, 'car-annotated'))).toEqual(['front.jpg']);
});

onTerminal.each<[string, string[], Record<string, string>]>([
  ['--no-input', ['--no-input'], {}],
  ['in CI', [], { CI: 'true' }],
])('vehi %s prints help on a terminal and asks nothing', { timeout: 240_000 }, (_, words, env) => {
  const { code, shown } = runOnTerminal(dir, words, [['Usage: vehi [command] [options]']], env);
  expect(code, shown).toBe(2);
  expect(shown).not.toContain(START);
});
