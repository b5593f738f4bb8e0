import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { DOWN, ENTER, HAS_EXPECT, runOnTerminal } from './pseudo-terminal.ts';

const MINUTES = 240_000;
let dir: string;
beforeEach(() => {
  dir = makeOwnFolder('on-terminal');
});

/** Which models look is not what is asked and offered. */
const TINY = { VEHI_MODEL_DIR: TINY_MODELS };
const CAR = join(makeOwnFolder('drawn'), 'front.jpg');
await writeDrawnCar(CAR);
const drawn = (folder: string) => {
  mkdirSync(join(dir, folder), { recursive: true });
  copyFileSync(CAR, join(dir, folder, 'front.jpg'));
};

test.skipIf(!HAS_EXPECT)(
  'vehi alone offers what to do, inspects a folder, keeps the result and shows it again',
  () => {
    drawn('car');
    const env = { ...TINY, VEHI_DATA_DIR: join(dir, 'data'), VEHI_THREADS: '1' };
    const inspected = runOnTerminal(
      dir,
      [],
      [
        ['What should vehi do?', ENTER],
        ['Folder or photo', `car${ENTER}`],
        ['> vehi inspect car'],
        ['And then?', `${DOWN}${ENTER}`],
        ['File', ENTER],
        ['json written to car.json'],
        ['And then?', `${DOWN.repeat(4)}${ENTER}`],
      ],
      env,
    );
    expect(inspected.code, inspected.shown).toBe(0);
    const opened = runOnTerminal(
      dir,
      [],
      [
        ['What should vehi do?', `${DOWN.repeat(4)}${ENTER}`],
        ['JSON of the result', `car.json${ENTER}`],
        ['And then?', ENTER],
        ['> vehi report car.json --format table'],
      ],
      env,
    );
    expect(opened.code, opened.shown).toBe(0);
    expect(opened.shown).toContain('car');
  },
  MINUTES,
);

test.skipIf(!HAS_EXPECT)(
  'vehi alone: help, and leaving, end with 0',
  () => {
    const seven = DOWN.repeat(7);
    const help = runOnTerminal(
      dir,
      [],
      [['What should vehi do?', `${seven}${ENTER}`], ['> vehi help'], ['vehi help exit-codes']],
    );
    expect(help.code, help.shown).toBe(0);
    const left = runOnTerminal(dir, [], [['What should vehi do?', `${seven}${DOWN}${ENTER}`]]);
    expect(left.code, left.shown).toBe(0);
  },
  MINUTES,
);

test.skipIf(!HAS_EXPECT).each<[string, string[], Record<string, string>]>([
  ['--no-input', ['--no-input'], {}],
  ['in CI', [], { CI: 'true' }],
])(
  'vehi %s prints help on a terminal and asks nothing',
  (_, words, env) => {
    const run = runOnTerminal(dir, words, [['Usage: vehi [command] [options]']], env);
    expect(run.code, run.shown).toBe(2);
    expect(run.shown).not.toContain('What should vehi do?');
  },
  MINUTES,
);

test.skipIf(!HAS_EXPECT)(
  'many vehicles: a line each',
  () => {
    for (const car of ['car_1', 'car_2']) drawn(join('fleet', car));
    writeFileSync(join(dir, 'notes.txt'), 'no vehicle');
    const args = ['inspect', '--many', 'fleet', '-o', 'out'];
    const run = runOnTerminal(dir, args, [['1/2  car_1'], ['2/2  car_2'], ['2 vehicles: 2 completed']], {
      ...TINY,
      VEHI_CONCURRENCY: '1',
    });
    expect(run.code, run.shown).toBe(0);
  },
  MINUTES,
);

test.skipIf(!HAS_EXPECT)(
  'vehi inspect without photos asks for them, and offers afterwards what can be made of the result',
  () => {
    drawn('car');
    const run = runOnTerminal(
      dir,
      ['inspect'],
      [
        ['Folder or photo', `car${ENTER}`],
        ['And then?', ENTER],
        ['File', ENTER],
        ['pdf written to car.pdf'],
        ['And then?', `${DOWN.repeat(2)}${ENTER}`],
        ['Folder', ENTER],
        ['1 annotated photo written to car-annotated'],
        ['And then?', `${DOWN.repeat(4)}${ENTER}`],
      ],
      TINY,
    );
    expect(run.code, run.shown).toBe(0);
    expect(readFileSync(join(dir, 'car.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    expect(readdirSync(join(dir, 'car-annotated'))).toEqual(['front.jpg']);
  },
  MINUTES,
);
