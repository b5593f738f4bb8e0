import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FlagsOf } from '../../../src/cli/commands.ts';
import { runConfigSet } from '../../../src/cli/setup/config.run.ts';
import { runInit } from '../../../src/cli/setup/init.run.ts';
import { readSettings, readSettingsFile, SETTINGS } from '../../../src/config/settings.ts';
import { setUserSetting } from '../../../src/config/user-settings.ts';
import { loadTables } from '../../../src/pricing/tables/load.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { TINY_MODELS } from '../../helpers/photos/drawn-car.ts';
import { makeOwnFolder, openFiles } from '../../helpers/temporary-folder.ts';

const FILE = 'vehi.config.json';
const USER_FILE = 'vehi/config.json';
let files: ReturnType<typeof openFiles>;
beforeEach(() => {
  files = openFiles(makeOwnFolder('init'));
});

const terminal = () => fakeTerminal({ cwd: files.folder, env: { XDG_CONFIG_HOME: files.folder } });
const init = (flags: FlagsOf<'init'>, folder = '.') => runInit(folder, flags, terminal().ctx);
const values = () =>
  Object.fromEntries(
    Object.entries(readSettings({}, { env: { XDG_CONFIG_HOME: '/nonexistent' }, cwd: files.folder }))
      .filter(([, { source }]) => source === 'project file')
      .map(([name, { value }]) => [name, value]),
  );

describe('vehi init', () => {
  test('writes a file in which everything is commented out, a number as a number', async () => {
    await init({});
    expect(values()).toEqual({});
    expect(readdirSync(files.folder)).toEqual([FILE]);
    const text = files.read(FILE);
    for (const line of ['"min_confidence": 0.3,', '"threads": 2,', ': en, de, fr (VEHI_LANGUAGE)'])
      expect(text).toContain(line);
  });

  test('a folder that is not there is refused, and a file that is there stays, unless --force', async () => {
    await expect(init({}, 'nowhere')).rejects.toMatchObject({ kind: 'usage' });
    expect(readdirSync(files.folder)).toEqual([]);
    files.write(FILE, '{ "region": "US_TEXAS" }');
    await expect(init({})).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect(files.read(FILE)).toBe('{ "region": "US_TEXAS" }');
    await init({ force: true });
    expect(values()).toEqual({});
  });
});

describe('the file', () => {
  test('every line switched on is still a file that can be read, with every setting', async () => {
    await init({});
    const text = files.read(FILE).replace(/^ {2}\/\/ (".*)$/gm, '  $1');
    files.write(FILE, text);
    expect(Object.keys(readSettingsFile(files.at(FILE))).sort()).toEqual(Object.keys(SETTINGS).sort());
  });

  test.each([
    ['an unknown key', '{ // c\n"regoin": "x" }', 'Did you mean region?'],
    ['no JSON', '// only a comment', 'Correct the file'],
  ])('%s is refused', (_, text, hint) => {
    files.write(FILE, text);
    const refusal = expect.objectContaining({ kind: 'usage', hint: expect.stringContaining(hint) });
    expect(() => readSettingsFile(files.at(FILE))).toThrow(refusal);
  });

  test.each([
    ['region', 'nope', 'config set: region nope is not a region of the table.'],
    ['currency', 'xyz', 'Unsupported currency "XYZ".'],
    ['regions', 'nope.json', 'cannot read the regions of'],
    ['models', 'bad', 'config set: models: '],
    ['models', 'bare', 'bare/damage-fp32.onnx does not exist'],
    ['font', 'bad', 'config set: the font '],
    ['font', 'bad/manifest.json', 'bad/manifest.json: the font cannot be used: Unknown font format'],
    ['data_dir', 'bad/manifest.json', 'manifest.json: not a directory'],
    ['inspector', 'a\u0007', 'text of at most 128 characters, none of them a control character'],
    ['base_url', 'x.example', 'config set base_url is "x.example"'],
    ['threads', '0', 'config set: threads is "0"; a whole number from 1 to 256 is needed.'],
  ])('config set %s %s is refused at once', async (key, value, said) => {
    files.write('bad/manifest.json', '{}');
    files.write('bare/manifest.json', readFileSync(join(TINY_MODELS, 'manifest.json')));
    await expect(runConfigSet(key, value, {}, terminal().ctx)).rejects.toThrow(said);
    expect(existsSync(files.at('vehi'))).toBe(false);
  });

  test('config set stores usable values, and refuses one that excludes a stored one', async () => {
    const set = (key: string, value: string) => runConfigSet(key, value, {}, terminal().ctx);
    const stored = files.at(USER_FILE);
    await set('region', 'eu_germany');
    await set('currency', 'eur');
    await set('models', TINY_MODELS);
    await set('certain_from', '0.4');
    const conflict = `certain_from is 0.4 (${stored}) and to_check_from 0.5 (config set)`;
    await expect(set('to_check_from', '0.5')).rejects.toThrow(conflict);
    const kept = { region: 'EU_GERMANY', currency: 'EUR', models: TINY_MODELS, certain_from: 0.4 };
    expect(files.readJson(USER_FILE)).toEqual(kept);
    expect(statSync(stored).mode & 0o777).toBe(0o600);
  });

  test('config set changes the file of the user, whatever the file of the project is, and says what it stores', async () => {
    const { regions } = loadTables();
    for (const code of ['MY_SHOP', 'OTHER_SHOP'])
      files.write(`${code}.json`, { ...regions, rows: [{ ...regions.rows[0], code }] });
    const { ctx, stderr } = terminal();
    const set = (key: string, value?: string) => runConfigSet(key, value, {}, ctx);
    const stored = files.at(USER_FILE);
    await set('region');
    expect(existsSync(stored)).toBe(false);
    await set('regions', 'MY_SHOP.json');
    await set('region', 'my_shop');
    expect(stderr()).toContain(`region = MY_SHOP in ${stored}`);
    const refused = `config set: regions: the table lacks MY_SHOP, the region that ${stored} sets.`;
    for (const file of ['OTHER_SHOP.json', undefined])
      await expect(set('regions', file)).rejects.toThrow(refused);
    files.write(FILE, '{ "regin": 1 }');
    await set('region');
    await set('regions');
    await set('threads');
    expect(stderr()).toContain(`threads is unset in ${stored}`);
    expect(files.readJson(USER_FILE)).toEqual({});
  });

  test.each([
    ['comments', '{ // mine\n"region": "US_TEXAS" /* as ever */ // b\n}'],
    ['a schema and a note', '{ "$schema": "x", "//": "note", "region": "US_TEXAS" }'],
    ['a last comma', '{ "region": "US_TEXAS", }'],
    ['a byte order mark', '\uFEFF{ "region": "US_TEXAS" }'],
  ])('config set changes a user file with %s, and keeps what else is in it', async (_, text) => {
    const stored = files.at('config.json');
    files.write('config.json', text);
    await setUserSetting(files.folder, 'currency', 'EUR');
    expect(readSettingsFile(stored)).toEqual({ region: 'US_TEXAS', currency: 'EUR' });
    expect(files.read('config.json')).toContain(/"region"[^}\n]*[^}\s]/.exec(text)?.[0]);
    await setUserSetting(files.folder, 'region', null);
    expect(readSettingsFile(stored)).toEqual({ currency: 'EUR' });
  });

  test('config set does not change a user file that is not JSON', async () => {
    files.write('config.json', '{ "region" }');
    await expect(setUserSetting(files.folder, 'currency', 'EUR')).rejects.toThrow(
      'config.json is not valid JSON: ',
    );
    expect(files.read('config.json')).toBe('{ "region" }');
  });
});
