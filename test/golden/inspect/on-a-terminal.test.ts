import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSettingsFile } from '../../../src/config/settings.ts';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { DOWN, ENTER, HAS_EXPECT, runOnTerminal, type Step } from '../../helpers/cli/pseudo-terminal.ts';
import { FIXTURES } from '../../helpers/cli/run-cli.ts';

const MINUTES = 240_000;
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vehi-on-terminal-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const photo = (...folder: string[]) => {
  mkdirSync(join(dir, ...folder), { recursive: true });
  copyFileSync(join(FIXTURES, 'vehicle/front.jpg'), join(dir, ...folder, 'front.jpg'));
};

test.skipIf(!HAS_EXPECT)(
  'vehi alone offers what to do, inspects a folder, keeps the result and opens it again',
  () => {
    photo('car');
    const env = { VEHI_DATA_DIR: join(dir, 'data'), VEHI_THREADS: '1' };
    const inspected = runOnTerminal(
      dir,
      [],
      [
        ['What should vehi do?', ENTER],
        ['Folder or photo', `car${ENTER}`],
        ['Keep the result', ENTER],
        ['> vehi inspect car --save'],
        ['kept as vis_'],
        ['And then?', `${DOWN}${DOWN}${DOWN}${ENTER}`],
      ],
      env,
    );
    expect(inspected.code, inspected.shown).toBe(0);
    const [kept = ''] = readdirSync(join(dir, 'data/results'));
    const id = kept.replace('.json', '');
    const opened = runOnTerminal(
      dir,
      [],
      [
        ['What should vehi do?', `${DOWN}${DOWN}${DOWN}${ENTER}`],
        ['Which one?', ENTER],
        ['And then?', ENTER],
        [`> vehi history ${id}`],
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
    const six = DOWN.repeat(6);
    const help = runOnTerminal(
      dir,
      [],
      [['What should vehi do?', `${six}${ENTER}`], ['> vehi help'], ['Topics (vehi help']],
    );
    expect(help.code, help.shown).toBe(0);
    const left = runOnTerminal(dir, [], [['What should vehi do?', `${six}${DOWN}${ENTER}`]]);
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
  'vehi init asks and writes what was answered; a second time it refuses before it asks',
  () => {
    const steps = [
      ['Region whose labour rates', 'germany'],
      ['❯ EU_GERMANY', ENTER],
      ['Currency', ENTER],
      ['How readily', `${DOWN}${ENTER}`],
      ['When should a run fail', ENTER],
      ['What should be printed?', ENTER],
      ['Folder for results', ENTER],
      ['written to'],
    ] as const;
    const made = runOnTerminal(dir, ['init'], steps);
    expect(made.code, made.shown).toBe(0);
    const file = join(dir, 'vehi.config.json');
    expect(readSettingsFile(file)).toEqual({ region: 'EU_GERMANY', currency: 'EUR', sensitivity: 'high' });
    const before = readFileSync(file, 'utf8');
    const again = runOnTerminal(dir, ['init'], [['is there already'], ['--force']]);
    expect(again.code, again.shown).toBe(2);
    expect(again.shown).not.toContain('Region whose');
    expect(readFileSync(file, 'utf8')).toBe(before);
  },
  MINUTES,
);

test.skipIf(!HAS_EXPECT)(
  'many vehicles: a line each and a bar over all with the time left',
  () => {
    for (const car of ['car_1', 'car_2']) photo('fleet', car);
    writeFileSync(join(dir, 'notes.txt'), 'no vehicle');
    const args = ['inspect', 'fleet', '--per-folder', '-o', 'out', '--threads', '1', '--concurrency', '1'];
    const run = runOnTerminal(dir, args, [
      ['[                        ] 0 of 2 vehicles'],
      ['1/2  car_1'],
      ['[============            ] 1 of 2 vehicles, about '],
      ['2/2  car_2'],
      ['2 vehicles: 2 completed'],
    ]);
    expect(run.code, run.shown).toBe(0);
  },
  MINUTES,
);

describe.skipIf(!HAS_EXPECT)('a photo whose angle nothing shows', () => {
  const CTRL_C = '\u0003';
  const ARGS = ['inspect', 'car', '-o', 'result.json', '--save', '--threads', '1'];
  const angles = () =>
    resultIn('result.json').data.images.map(({ angle, angle_source }) => [angle, angle_source]);
  const resultIn = (file: string): InspectionEnvelope => JSON.parse(readFileSync(join(dir, file), 'utf8'));
  const kept = () => readdirSync(join(dir, 'data/results'));
  const asking = (...steps: Step[]) =>
    runOnTerminal(dir, ARGS, [['kept as vis_'], ['json written to result.json'], ...steps], {
      VEHI_DATA_DIR: join(dir, 'data'),
    });

  beforeEach(async () => {
    mkdirSync(join(dir, 'car'));
    copyFileSync(join(FIXTURES, 'vehicle/front_left.jpg'), join(dir, 'car/IMG_1.jpg'));
    // So near that the parts could be those of either end.
    const near = { left: 576, top: 324, width: 768, height: 324 };
    await sharp(join(FIXTURES, 'vehicle/front.jpg'))
      .extract(near)
      .resize(1920, 1080, { fit: 'fill' })
      .toFile(join(dir, 'car/IMG_2.jpg'));
  });

  test(
    'is asked for after the result is shown, written and kept; Ctrl-C loses nothing',
    () => {
      const run = asking(['What does car/IMG_2.jpg show?', CTRL_C], ['the result above is unchanged']);
      expect(run.code, run.shown).toBe(130);
      expect(run.shown).toContain("Don't know");
      expect(angles()).toEqual([
        ['front_left', 'parts_seen'],
        [null, 'unknown'],
      ]);
      expect(kept()).toEqual([`${resultIn('result.json').data.inspection_id}.json`]);
      expect(readdirSync(join(dir, 'car'))).toEqual(['IMG_1.jpg', 'IMG_2.jpg']);
    },
    MINUTES,
  );

  test.each([
    ['only after a yes', 'y', ['IMG_1.jpg', 'IMG_2.jpg', 'vehi.json']],
    ['not by Enter alone', '', ['IMG_1.jpg', 'IMG_2.jpg']],
  ])(
    'the answer replaces the result, and is written to the photos %s',
    (_, answer, files) => {
      const run = asking(
        ['What does car/IMG_2.jpg show?', `${DOWN}${ENTER}`],
        ['With the angle given:'],
        ['json written to result.json'],
        ['Remember what was answered in car/vehi.json?', `${answer}${ENTER}`],
      );
      expect(run.code, run.shown).toBe(0);
      expect(angles()[1]).toEqual(['front', 'request']);
      expect(kept()).toEqual([`${resultIn('result.json').data.inspection_id}.json`]);
      expect(readdirSync(join(dir, 'car'))).toEqual(files);
      if (answer === '') return;
      const manifest = JSON.parse(readFileSync(join(dir, 'car/vehi.json'), 'utf8'));
      expect(manifest).toEqual({ photos: { 'IMG_2.jpg': { angle: 'front' } } });
    },
    MINUTES,
  );

  test(
    'Ctrl-C at what to remember keeps the answer in the result, and says so',
    () => {
      const run = asking(
        ['What does car/IMG_2.jpg show?', `${DOWN}${ENTER}`],
        ['json written to result.json'],
        ['Remember what was answered in car/vehi.json?', CTRL_C],
        ['not remembered; the result above has what was answered'],
      );
      expect(run.code, run.shown).toBe(130);
      expect(angles()[1]).toEqual(['front', 'request']);
      expect(readdirSync(join(dir, 'car'))).toEqual(['IMG_1.jpg', 'IMG_2.jpg']);
    },
    MINUTES,
  );

  test(
    "don't know keeps the result as it is",
    () => {
      const run = asking(['What does car/IMG_2.jpg show?', ENTER]);
      expect(run.code, run.shown).toBe(0);
      expect(run.shown).not.toContain('With the angle');
    },
    MINUTES,
  );
});

test.skipIf(!HAS_EXPECT)(
  'vehi inspect without photos asks for them, and offers afterwards what can be made of the result',
  () => {
    photo('car');
    const run = runOnTerminal(
      dir,
      ['inspect', '--threads', '1'],
      [
        ['Folder or photo', `car${ENTER}`],
        ['And then?', ENTER],
        ['File', ENTER],
        ['pdf written to car.pdf'],
        ['And then?', `${DOWN}${ENTER}`],
        ['Folder', ENTER],
        ['1 annotated photo written to car-annotated'],
        ['And then?', `${DOWN}${DOWN}${DOWN}${ENTER}`],
      ],
    );
    expect(run.code, run.shown).toBe(0);
    expect(readFileSync(join(dir, 'car.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    expect(readdirSync(join(dir, 'car-annotated'))).toEqual(['front.jpg']);
  },
  MINUTES,
);
