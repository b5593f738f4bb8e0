import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type AccessChoice, findAccess, openCredentials } from '../../../src/config/credentials.ts';
import { setUserSetting } from '../../../src/config/user-settings.ts';
import { maskKey, readEnvironment } from '../../../src/domain/api-key.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const DEV = 'dev_1111aaaa';
const PROD = 'prod_2222bbbb';
const PROFILE = { base_url: 'http://x', api_key: DEV };
let dir: string;
let env: Record<string, string>;

beforeAll(() => {
  dir = makeOwnFolder('credentials');
  env = { XDG_CONFIG_HOME: dir, HOME: dir };
  const credentials = openCredentials(env);
  credentials.set('production', { base_url: 'https://live.example.com//', api_key: PROD });
  credentials.set('sandbox', { base_url: 'https://try.example.com', api_key: DEV });
});

const TRY = ['https://try.example.com', DEV, 'profile sandbox'] as const;
const LIVE = ['https://live.example.com', PROD, 'profile production'] as const;
it.each<[name: string, AccessChoice, object, readonly [baseUrl: string, apiKey: string, from: string]]>([
  ['the first stored profile', {}, {}, TRY],
  ['the profile that is named, without slashes at the end', { profile: 'production' }, {}, LIVE],
  ['the profile that is stored with the given address', { baseUrl: 'https://live.example.com/' }, {}, LIVE],
  ['… with the same address in other letters', { baseUrl: 'HTTPS://Live.Example.com:443' }, {}, LIVE],
  [
    'the profile that was typed, at another address',
    { baseUrl: 'http://127.0.0.1:8080/', profile: 'sandbox', isProfileGiven: true },
    {},
    ['http://127.0.0.1:8080', DEV, 'profile sandbox'],
  ],
  [
    'the key of the environment, with the address of its profile',
    {},
    { VEHI_API_KEY: 'prod_other' },
    ['https://live.example.com', 'prod_other', 'VEHI_API_KEY'],
  ],
])('uses %s', (_name, choice, more, [baseUrl, apiKey, from]) => {
  expect(findAccess(choice, { ...env, ...more })).toEqual({ baseUrl, apiKey, from });
});

it('sends no stored key to another address, unless its profile was typed', () => {
  const other = { baseUrl: 'https://evil.example.com' };
  const refusal = expect.objectContaining({
    code: 'OTHER_ADDRESS',
    message:
      'no stored key is for https://evil.example.com: profile sandbox is for https://try.example.com, profile production is for https://live.example.com.',
    hint: expect.stringContaining('--profile'),
  });
  expect(() => findAccess(other, env)).toThrow(refusal);
  // A settings file of a folder may name both.
  expect(() => findAccess({ ...other, profile: 'production' }, env)).toThrow(
    'no stored key is for https://evil.example.com: profile production is for https://live.example.com.',
  );
});

it('refuses a named profile that the key of the environment is not of', () => {
  expect(() => findAccess({ profile: 'production' }, { ...env, VEHI_API_KEY: DEV })).toThrow(
    'VEHI_API_KEY holds a sandbox key, and the profile production is named.',
  );
});

it('says what is missing', () => {
  const empty = { XDG_CONFIG_HOME: join(dir, 'none'), HOME: dir };
  expect(() => findAccess({ baseUrl: 'http://x' }, empty)).toThrow(/there is no API key/);
  expect(() => findAccess({}, { ...empty, VEHI_API_KEY: DEV })).toThrow(/no service address/);
  expect(() => findAccess({ profile: 'production' }, empty)).toThrow(
    'there is no stored key of the profile production.',
  );
});

it('keeps keys readable by their owner alone, and shows no more than their ends', () => {
  expect(statSync(openCredentials(env).path).mode & 0o777).toBe(0o600);
  expect([maskKey(DEV), maskKey(PROD)]).toEqual(['dev_…aaaa', 'prod_…bbbb']);
  expect([DEV, PROD, 'key_1'].map(readEnvironment)).toEqual(['sandbox', 'production', undefined]);
});

it('says which file of keys cannot be read, and what to do', () => {
  const broken = { XDG_CONFIG_HOME: join(dir, 'broken'), HOME: dir };
  const credentials = openCredentials(broken);
  credentials.set('sandbox', PROFILE);
  writeFileSync(credentials.path, '{ "sandbox": 7 }');
  expect(() => credentials.get('sandbox')).toThrow(
    expect.objectContaining({
      kind: 'usage',
      code: 'CREDENTIALS_UNREADABLE',
      message: expect.stringContaining(credentials.path),
      hint: 'Remove the file and run vehi auth login again.',
    }),
  );
});

it('says which file a key or a setting cannot be written to', async () => {
  const home = makeOwnFolder('unwritable');
  const folder = join(home, 'vehi');
  // A folder in which even root creates no files.
  symlinkSync('/proc/self', folder);
  const setKey = async () => openCredentials({ XDG_CONFIG_HOME: home }).set('sandbox', PROFILE);
  const hint = expect.stringContaining('Check the permissions of the folder');
  for (const [name, written] of [
    ['credentials.json', setKey()],
    ['config.json', setUserSetting(folder, 'threads', 2)],
  ] as const) {
    const message = expect.stringContaining(`${join(folder, name)}: `);
    await expect(written).rejects.toThrow(expect.objectContaining({ kind: 'usage', message, hint }));
  }
});

it('makes no folder where nothing is stored', () => {
  const home = join(dir, 'nobody');
  const stored = openCredentials({ XDG_CONFIG_HOME: home, HOME: home });
  expect([stored.get('sandbox'), stored.remove('sandbox')]).toEqual([undefined, false]);
  expect(existsSync(home)).toBe(false);
});
