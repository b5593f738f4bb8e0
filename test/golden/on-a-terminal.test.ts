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
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSettingsFile } from '../../src/config/settings.ts';
import { DOWN, ENTER, HAS_EXPECT, onTerminal } from '../helpers/pseudo-terminal.ts';
import { FIXTURES } from '../helpers/run-cli.ts';

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
    const inspected = onTerminal(
      dir,
      [],
      [
        ['What shall vehi do?', ENTER],
        ['Folder or photo', `car${ENTER}`],
        ['Keep the result', ENTER],
        ['> vehi inspect car --save'],
        ['kept as vis_'],
      ],
      env,
    );
    expect(inspected.code, inspected.shown).toBe(0);
    const [kept = ''] = readdirSync(join(dir, 'data/results'));
    const id = kept.replace('.json', '');
    const opened = onTerminal(
      dir,
      [],
      [
        ['What shall vehi do?', `${DOWN}${DOWN}${DOWN}${ENTER}`],
        ['Which one?', ENTER],
        ['And then?', ENTER],
        [`> vehi show ${id}`],
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
    const help = onTerminal(
      dir,
      [],
      [['What shall vehi do?', `${six}${ENTER}`], ['> vehi help'], ['Topics (vehi help']],
    );
    expect(help.code, help.shown).toBe(0);
    const left = onTerminal(dir, [], [['What shall vehi do?', `${six}${DOWN}${ENTER}`]]);
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
    const run = onTerminal(dir, words, [['Usage: vehi [command] [options]']], env);
    expect(run.code, run.shown).toBe(2);
    expect(run.shown).not.toContain('What shall vehi do?');
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
      ['How eagerly', `${DOWN}${ENTER}`],
      ['When shall a run fail', ENTER],
      ['What shall be printed?', ENTER],
      ['Folder for results', ENTER],
      ['written to'],
    ] as const;
    const made = onTerminal(dir, ['init'], steps);
    expect(made.code, made.shown).toBe(0);
    const file = join(dir, 'vehi.config.json');
    expect(readSettingsFile(file)).toEqual({ region: 'EU_GERMANY', currency: 'EUR', sensitivity: 'high' });
    const before = readFileSync(file, 'utf8');
    const again = onTerminal(dir, ['init'], [['is there already'], ['--force']]);
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
    const run = onTerminal(dir, args, [
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
