// @module-tag slow: several hundred command lines
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { COMMANDS, type CommandRow } from '../../../../src/cli/commands.ts';
import { OPTIONS, type OptionName, type OptionRow } from '../../../../src/config/options.ts';
import { SETTINGS } from '../../../../src/config/settings.ts';
import { loadTables } from '../../../../src/pricing/tables/load.ts';
import { findRegion } from '../../../../src/pricing/tables/regions.ts';
import { makeClaimFolder } from '../../../helpers/cli/claim-folder.ts';
import { TINY_MODELS } from '../../../helpers/photos/drawn-car.ts';

const { at, inspection, read, run, write } = await makeClaimFolder();
for (const name of ['models', 'own']) mkdirSync(at(name));
symlinkSync('own', at('own-link'));
cpSync(join(TINY_MODELS, 'manifest.json'), at('models/manifest.json'));
const tables = loadTables();
const shop = { ...findRegion(tables, 'US_TEXAS'), code: 'MY_SHOP' };
write('regions.json', { ...tables.regions, rows: [shop] });
write('later.json', inspection);
write('font.otf', 'a font');
write('damages.json', [{ part: 'hood', type: 'dent', severity: 'minor' }]);
write('decisions.json', { decisions: [] });
write('list.csv', 'vehicle_id,folder\nA,photos\n');
write('photos/vehi.json', { vehicle_id: 'A-1' });
for (const name of [
  'vehi.config.json',
  'result.review.json',
  'config/vehi/config.json',
  'config/vehi/credentials.json',
])
  write(name, {});
write('data/vehi.sqlite', 'the database');
write('config/vehi/evidence-key.pem', 'a key');

/** A command line for every command that writes what its flags name. */
const LINES = {
  inspect: 'inspect photos',
  capture: 'capture shots --host 127.0.0.1',
  assess: 'assess damages.json',
  review: 'review result.json --no-open',
  report: 'report result.json',
  compare: 'compare result.json later.json',
};

/** A file for every flag that names an input; null where a command reads no file by it that a result could replace. */
const INPUTS: Readonly<Record<string, string | null>> = {
  assessment: 'estimate.json',
  decisions: 'decisions.json',
  baseline: 'result.json',
  many: null,
  photos: null,
  photosBefore: null,
  photosAfter: null,
  'verify.key': null,
  tlsCert: null,
  tlsKey: null,
};

/** A file that each setting with a path stands for, by the value it is set to. */
const SET: Readonly<Record<string, readonly [value: string, file: string]>> = {
  regions: [at('regions.json'), 'regions.json'],
  font: ['font.otf', 'font.otf'],
  models: ['models', 'models/manifest.json'],
  data_dir: ['data', 'data/vehi.sqlite'],
};

/** What no result replaces, whatever a command reads. All commands ask one function: the first three stand for the others. */
const KEPT = [
  'config/vehi/new.json',
  'photos/vehi.json',
  inspection.data.images[0]?.url ?? '',
  'config/vehi/config.json',
  'config/vehi/credentials.json',
  'config/vehi/evidence-key.pem',
  'vehi.config.json',
  'result.review.json',
];

const listFlags = (command: string) =>
  Object.values((COMMANDS as Readonly<Record<string, CommandRow>>)[command]?.flags ?? {}).flat();
const WRITES: readonly OptionName[] = ['output', 'review.output', 'annotated', 'sort'];

test('every command that writes what its flags name, and every flag or setting with a path, is among the rows', () => {
  const writing = Object.keys(COMMANDS).filter((name) =>
    listFlags(name).some((flag) => WRITES.includes(flag)),
  );
  expect(writing.sort()).toEqual(Object.keys(LINES).sort());
  const options = Object.entries<OptionRow>(OPTIONS);
  const reading = options.filter(([, { reads }]) => reads);
  expect(Object.keys(INPUTS).sort()).toEqual(reading.map(([name]) => name).sort());
  const set = Object.entries(SETTINGS).filter(([, row]) => 'isPath' in row);
  expect(Object.keys(SET).sort()).toEqual(set.map(([name]) => name).sort());
  const unknown = options.filter(
    ([name, { flag, reads, setting }]) =>
      /<(file|dir|place|result|source|key)>/.test(flag) &&
      !(reads || setting?.isPath || name === 'data' || WRITES.includes(name as OptionName)),
  );
  expect(unknown.map(([name]) => name)).toEqual([]);
});

interface Row {
  readonly line: string;
  readonly file: string;
  readonly env?: NodeJS.ProcessEnv;
}

const rows = Object.entries(LINES).flatMap(([command, line]) => {
  const flagged = listFlags(command).flatMap((name): Row[] => {
    const file = INPUTS[name];
    return file ? [{ line: `${line} ${OPTIONS[name].flag.match(/--[a-z-]+/)} ${file}`, file }] : [];
  });
  const settings = Object.entries(SET).flatMap(([name, [value, file]]): Row[] => {
    const { flag, env } = SETTINGS[name as keyof typeof SETTINGS];
    const isFlag = listFlags(command).some((one) => OPTIONS[one].flag === flag);
    return [
      { line, file, env: { [env]: value } },
      ...(isFlag ? [{ line: `${line} ${flag.split(' ')[0]} ${value}`, file }] : []),
    ];
  });
  const read = line.split(' ').filter((word) => word.endsWith('.json'));
  const kept = command === 'report' ? KEPT : KEPT.slice(0, 3);
  return [...flagged, ...settings, ...[...read, ...kept].map((file): Row => ({ line, file }))];
});
// Settings and keys that are not there yet, below a link.
rows.push({ line: LINES.report, file: 'own/vehi/new.json', env: { XDG_CONFIG_HOME: at('own-link') } });

it.each(rows)('$line onto $file is refused', { timeout: 60_000 }, async ({ line, file, env }) => {
  const isNew = file.endsWith('/new.json');
  const before = isNew ? '' : read(file);
  const output = line.startsWith('review') ? file : `json=${file}`;
  const folders = { VEHI_MODEL_DIR: 'models', VEHI_DATA_DIR: 'data', XDG_CONFIG_HOME: at('config'), ...env };
  const { code, stderr } = await run(`${line} -o ${output}`, folders);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('would overwrite') });
  expect(stderr).toContain(output);
  if (!isNew) expect(read(file)).toBe(before);
});
