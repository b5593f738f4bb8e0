import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { makeOwnFolder, openFiles } from '../../helpers/temporary-folder.ts';

const DENT = 'assess --damage hood:dent:moderate:4';
const SERVE = 'serve --sandbox --ephemeral --port 0';

const { folder: dir, at, write } = openFiles(makeOwnFolder('messages'));
write('project/vehi.config.json', { region: 'US_MIDWST' });
write('limits/vehi.config.json', { to_check_from: 0.4 });
write('own.json', []);
for (const folder of ['taken.json', 'unreadable/vehi.config.json'])
  mkdirSync(at(folder), { recursive: true });

describe('a wrong setting says where it was set', () => {
  const MARS = { VEHI_REGION: 'MARS' };
  const OWN = { VEHI_REGIONS_FILE: at('own.json') };
  const OF_OWN = /^vehi: VEHI_REGIONS_FILE: \S*own\.json: the table/;
  const LIMITS =
    /^vehi: certain_from is 0\.3 \(VEHI_CERTAIN_FROM\) and to_check_from 0\.4 \(\S*limits\/vehi\.config\.json\)/;
  test.each<[line: string, env: Readonly<Record<string, string>>, said: RegExp, folder?: string]>([
    [DENT, MARS, /^vehi: VEHI_REGION: Unknown [^\n]*"MARS"/],
    ['inspect .', MARS, /^vehi: VEHI_REGION: .*"MARS"/],
    ['inspect --many . -o out', MARS, /^vehi: VEHI_REGION: .*"MARS"/],
    [SERVE, MARS, /^vehi: VEHI_REGION: .*"MARS"/],
    [DENT, { VEHI_CURRENCY: 'EURO' }, /^vehi: VEHI_CURRENCY: .*"EURO"/],
    [DENT, {}, /^vehi: \S*project\/vehi\.config\.json: .*"US_MIDWST"/, 'project'],
    [DENT, {}, /^vehi: \S*able\/vehi\.config\.json cannot be read: it is a folder/, 'unreadable'],
    ['regions list', { VEHI_REGIONS_FILE: 'none.json' }, /^vehi: VEHI_REGIONS_FILE: cannot read the regions/],
    [DENT, OWN, OF_OWN],
    [SERVE, OWN, OF_OWN],
    [DENT, { VEHI_FORMAT: 'tabel' }, /^vehi: VEHI_FORMAT: [^\n]*"tabel"\.\n {2}Did you mean table/],
    ['inspect .', { VEHI_MODEL_DIR: 'gone' }, /VEHI_MODEL_DIR: \S*gone\/manifest\.json does not exist/m],
    ['auth test', { VEHI_BASE_URL: 'x.example.com' }, /^vehi: VEHI_BASE_URL is "x\.example\.com"/],
    ['inspect .', { VEHI_CERTAIN_FROM: '0.3' }, LIMITS, 'limits'],
  ])('%s with %j', async (line, env, said, folder = '.') => {
    const run = await runInside(line, { cwd: join(dir, folder), env });
    expect(run.stderr).toMatch(said);
    expect(run.stdout).toBe('');
  });

  test('a format for other commands leaves this one its table', async () => {
    const run = await runInside(DENT, { cwd: dir, env: { VEHI_FORMAT: 'pdf' } });
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('TOTAL LOSS') });
  });

  test('a flag outranks it and is not blamed on it', async () => {
    const run = await runInside(`${DENT} --region MARZ`, { cwd: dir, env: { VEHI_REGION: 'MARS' } });
    expect(run.stderr).toContain('"MARZ"');
    expect(run.stderr).not.toContain('VEHI_REGION');
  });
});

test.each([
  ['a file to write in place of a folder', `${DENT} -o taken.json`, 'taken.json'],
  ['a file to write below a file', `${DENT} -o own.json/result.json`, 'own.json/result.json'],
  ['a request that is not there', 'assess gone.json', 'gone.json'],
  ['a data directory that is a file', 'serve --port 0 --data own.json', 'own.json'],
  ['a certificate that is not there', 'serve --tls-cert gone.pem --tls-key x.pem', 'gone.pem'],
])('%s is named once, by its own name', async (_, line, name) => {
  const run = await runInside(line, { cwd: dir });
  expect(run.code).not.toBe(0);
  const [first = ''] = run.stderr.split('\n');
  expect(first.split(name)).toHaveLength(2);
  expect(first).not.toMatch(/\.tmp|ENOENT|EISDIR|ENOTDIR|, (open|read|rename|mkdir)/);
});

test('doctor says where models and data directory that cannot be used were set', async () => {
  const env = { VEHI_MODEL_DIR: 'gone', VEHI_DATA_DIR: 'own.json' };
  const run = await runInside('doctor --database postgres://x/y', { cwd: dir, env });
  expect(run.code).toBe(4);
  expect(run.stdout).toMatch(/FAIL shared addresses: .*--objects is missing/);
  expect(run.stdout).toContain('Correct the folder that VEHI_MODEL_DIR names.');
  expect(run.stdout).toContain('own.json a writable folder, or set VEHI_DATA_DIR.');
});

test.each([
  ['used', `${DENT} --regions ${at('large.json')}`],
  ['checked', 'regions validate large.json'],
])('a regions file of 9 MB is refused where it is %s', async (_, line) => {
  write('large.json', `{ "name": "${'x'.repeat(9_000_000)}" }`);
  const run = await runInside(line, { cwd: dir });
  expect(run.code).not.toBe(0);
  expect(run.stderr).toMatch(/large\.json.* larger than 8 MB/);
});

test.each([
  ['the folder of a capture', ['capture', '', '--host', '127.0.0.1']],
  ['a result', ['report', '']],
])('%s that is empty is refused, never taken for this folder', async (_, args) => {
  const run = await runInside(args, { cwd: dir });
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(/empty[\s\S]*may be unset/);
});
