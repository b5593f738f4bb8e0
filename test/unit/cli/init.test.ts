import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runInit, writeConfigText } from '../../../src/cli/setup/init.run.ts';
import type { Asker } from '../../../src/cli/terminal/asker.ts';
import type { FlagsOf } from '../../../src/cli/terminal/options.ts';
import { readSettings, readSettingsFile, SETTINGS } from '../../../src/config/settings.ts';
import { setUserSetting } from '../../../src/config/user-settings.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vehi-init-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

type InitFlags = FlagsOf<'init'>;
const file = (...path: string[]) => join(dir, ...path, 'vehi.config.json');
const init = (flags: InitFlags, folder = '.', interactive = false, asker?: Asker) =>
  runInit(folder, flags, fakeTerminal({ cwd: dir, interactive }).ctx, asker);
const values = (folder = dir) =>
  Object.fromEntries(
    Object.entries(readSettings({}, { env: { XDG_CONFIG_HOME: '/nonexistent' }, cwd: folder }))
      .filter(([, { source }]) => source === 'project file')
      .map(([name, { value }]) => [name, value]),
  );

describe('vehi init --yes', () => {
  test.each<[string, InitFlags, Record<string, unknown>]>([
    ['nothing named: everything is commented out', {}, {}],
    ['a region brings its currency', { region: 'EU_GERMANY' }, { region: 'EU_GERMANY', currency: 'EUR' }],
    [
      'a currency named stays',
      { region: 'EU_GERMANY', currency: 'USD' },
      { region: 'EU_GERMANY', currency: 'USD' },
    ],
    [
      'every kind of value',
      { failOn: 'severe', threads: 4, minConfidence: 0.3, format: 'json', sensitivity: 'high' },
      { fail_on: 'severe', threads: 4, min_confidence: 0.3, format: 'json', sensitivity: 'high' },
    ],
  ])('%s', async (_, flags, expected) => {
    await init({ ...flags, yes: true });
    expect(values()).toEqual(expected);
    expect(readdirSync(dir)).toEqual(['vehi.config.json']);
  });

  test('paths are written relative to the file and mean the same place', async () => {
    mkdirSync(join(dir, 'fleet'));
    writeFileSync(join(dir, 'rates.json'), regionsFile());
    await init({ yes: true, regions: './rates.json', dataDir: 'fleet/kept', region: 'OUR_SHOP' }, 'fleet');
    expect(readFileSync(file('fleet'), 'utf8')).toContain('"regions": "../rates.json",');
    expect(readFileSync(file('fleet'), 'utf8')).toContain('"data_dir": "./kept",');
    expect(values(join(dir, 'fleet'))).toMatchObject({
      region: 'OUR_SHOP',
      regions: join(dir, 'rates.json'),
      data_dir: join(dir, 'fleet/kept'),
    });
  });

  test.each<[string, InitFlags, string, string]>([
    ['an unknown region', { region: 'EU_GERMNY' }, '.', 'EU_GERMNY'],
    ['an unknown currency', { currency: 'AED' }, '.', 'AED'],
    ['an unknown format', { format: 'xlsx' }, '.', 'xlsx'],
    ['a share above 1', { minConfidence: 3 }, '.', '--min-confidence'],
    ['a folder that is not there', {}, 'nowhere', 'nowhere'],
    ['a precision that no model is shipped in', { precision: 'int8' }, '.', 'int8'],
    ['regions that are not there', { regions: 'none.json' }, '.', 'none.json'],
  ])('%s is refused and nothing is written', async (_, flags, folder, words) => {
    await expect(init({ ...flags, yes: true }, folder)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining(words),
    });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('a file that is there stays, unless --force', async () => {
    writeFileSync(file(), '{ "region": "US_TEXAS" }');
    await expect(init({ yes: true })).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect(readFileSync(file(), 'utf8')).toBe('{ "region": "US_TEXAS" }');
    await init({ yes: true, force: true, region: 'EU_GERMANY' });
    expect(values()).toMatchObject({ region: 'EU_GERMANY' });
  });

  test('no terminal and no --yes: the flag is named', async () => {
    await expect(init({ region: 'EU_GERMANY' })).rejects.toMatchObject({
      code: 'NOT_INTERACTIVE',
      hint: expect.stringContaining('--yes'),
    });
  });
});

test('the interview asks only what no flag has given', async () => {
  const asked: string[] = [];
  const answers: Record<string, unknown> = {
    Region: 'EU_GERMANY',
    Currency: 'EUR',
    Detection: 'high',
    Folder: ' kept ',
  };
  const answer = (message: string) => {
    asked.push(message.split(' ')[0] ?? '');
    return answers[message.split(' ')[0] ?? ''];
  };
  const asker: Asker = {
    search: async (message, groups) => {
      expect(groups.flatMap(({ choices }) => choices).length).toBeGreaterThan(5);
      return answer(message) as never;
    },
    select: async (message, _, fallback) => {
      if (message.startsWith('Currency')) expect(fallback).toBe('EUR');
      return answer(message) as never;
    },
    input: async (message) => String(answer(message)),
    password: async () => expect.fail('no secret is asked for'),
    confirm: async () => expect.fail('nothing is to be confirmed'),
  };
  await init({ failOn: 'severe', format: 'json' }, '.', true, asker);
  expect(asked).toEqual(['Region', 'Currency', 'Detection', 'Folder']);
  expect(values()).toEqual({
    region: 'EU_GERMANY',
    currency: 'EUR',
    sensitivity: 'high',
    fail_on: 'severe',
    format: 'json',
    data_dir: join(dir, 'kept'),
  });
});

describe('the file', () => {
  test('shows no value that this vehi is not shipped with', () => {
    expect(writeConfigText({})).not.toContain('int8');
  });

  test('every line switched on is still a file that can be read, with every setting', () => {
    const text = writeConfigText({}).replace(/^ {2}\/\/ (".*)$/gm, '  $1');
    writeFileSync(file(), text);
    expect(Object.keys(readSettingsFile(file())).sort()).toEqual(Object.keys(SETTINGS).sort());
  });

  test.each([
    ['comments and a last comma', '// a\n{ /* b */ "region": "US_TEXAS", // c\n}', { region: 'US_TEXAS' }],
    [
      'what looks like a comment in a text',
      '{"base_url": "https://x.example//y"}',
      { base_url: 'https://x.example//y' },
    ],
    ['a byte order mark', '\uFEFF{"currency": "EUR"}', { currency: 'EUR' }],
    ['plain JSON with a schema', '{"$schema": "x", "//": "note", "threads": 2}', { threads: 2 }],
  ])('%s is read', (_, text, expected) => {
    writeFileSync(file(), text);
    expect(readSettingsFile(file())).toEqual(expected);
  });

  test.each([
    ['an unknown key', '{ // c\n"regoin": "x" }', 'Did you mean region?'],
    ['no JSON', '// only a comment', 'Correct the file'],
  ])('%s is refused', (_, text, hint) => {
    writeFileSync(file(), text);
    expect(() => readSettingsFile(file())).toThrow(
      expect.objectContaining({ kind: 'usage', hint: expect.stringContaining(hint) }),
    );
  });

  test('config set does not take the comments out of a user file', () => {
    const text = '{ // mine\n"region": "US_TEXAS" }';
    writeFileSync(join(dir, 'config.json'), text);
    expect(() => setUserSetting(dir, 'currency', 'EUR', dir)).toThrow(/cannot change .*config\.json/);
    expect(readFileSync(join(dir, 'config.json'), 'utf8')).toBe(text);
  });
});

function regionsFile(): string {
  const row = {
    code: 'OUR_SHOP',
    name: 'Our shop',
    currency: 'EUR',
    rate_per_hour: [90, 120],
    departments: {},
    total_loss: { rule: 'percent_of_value', threshold: 1, source: 'ours' },
    tax_rate: 0,
    default_market_value: 15000,
    market_value_source: 'ours',
    date: '2026-01-01',
    source: 'ours',
  };
  return JSON.stringify({ name: 'ours', version: '1', effective_date: '2026-01-01', rows: [row] });
}
