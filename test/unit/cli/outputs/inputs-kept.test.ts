// @module-tag slow: several hundred command lines
import { createHash } from 'node:crypto';
import { cpSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { COMMANDS, type CommandRow } from '../../../../src/cli/commands.ts';
import { OPTIONS, type OptionName, type OptionRow } from '../../../../src/config/options.ts';
import { SETTINGS } from '../../../../src/config/settings.ts';
import { loadTables } from '../../../../src/pricing/tables/load.ts';
import { findRegion } from '../../../../src/pricing/tables/regions.ts';
import { makeClaimFolder, runIn } from '../../../helpers/cli/claim-folder.ts';
import { TINY_MODELS } from '../../../helpers/photos/drawn-car.ts';

const claim = await makeClaimFolder();
const at = (name: string) => join(claim.folder, name);
const hash = (name: string) =>
  createHash('sha256')
    .update(readFileSync(at(name)))
    .digest('hex');
const write = (name: string, text: string) => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
};
cpSync(join(TINY_MODELS, 'manifest.json'), at('models/manifest.json'));
cpSync(at('result.json'), at('later.json'));
const tables = loadTables();
const shop = { ...findRegion(tables, 'US_TEXAS'), code: 'MY_SHOP' };
write('regions.json', JSON.stringify({ ...tables.regions, rows: [shop] }));
write('font.otf', 'a font');
write('damages.json', '[{"part": "hood", "type": "dent", "severity": "minor"}]');
write('decisions.json', '{"decisions": []}');
write('list.csv', 'vehicle_id,folder\nA,photos\n');
write('photos/vehi.json', '{"vehicle_id": "A-1"}');
write('vehi.config.json', '{}');
write('result.review.json', '{}');
write('data/vehi.sqlite', 'the database');
for (const name of ['config.json', 'credentials.json']) write(`config/vehi/${name}`, '{}');
write('config/vehi/evidence-key.pem', 'a key');

/** A command line for every command that writes what its flags name; `out` says how it is given a file to write. */
const LINES: Readonly<Record<string, { line: string; reads: readonly string[]; out?: 'bare' | 'none' }>> = {
  inspect: { line: 'inspect photos', reads: ['photos/vehi.json'] },
  capture: { line: 'capture shots --host 127.0.0.1', reads: [] },
  assess: { line: 'assess damages.json', reads: ['damages.json'] },
  review: { line: 'review result.json --no-open', reads: ['result.json'], out: 'bare' },
  report: { line: 'report result.json', reads: ['result.json'] },
  compare: { line: 'compare result.json later.json', reads: ['result.json', 'later.json'] },
};

/** A file for every flag that names an input; null where a command reads no file by it that a result could replace. */
const INPUTS: Readonly<Record<string, string | null>> = {
  many: 'list.csv',
  assessment: 'estimate.json',
  decisions: 'decisions.json',
  baseline: 'result.json',
  photos: 'photos',
  photosBefore: 'photos',
  photosAfter: 'photos',
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

/** What vehi keeps for itself, whatever the command reads; all commands ask the same function, so two stand for all. */
const OWN = [
  'config/vehi/config.json',
  'config/vehi/credentials.json',
  'config/vehi/evidence-key.pem',
  'config/vehi/new.json',
  'vehi.config.json',
  'result.review.json',
  'photos/vehi.json',
  'photos/front.jpg',
];

const listFlags = (command: string) =>
  Object.values((COMMANDS as Readonly<Record<string, CommandRow>>)[command]?.flags ?? {}).flat();
const WRITES: readonly OptionName[] = ['output', 'review.output', 'annotated', 'sort'];
const photo = claim.inspection.data.images[0]?.url ?? '';

test('every flag with a path says whether it is read or written', () => {
  const paths = Object.entries<OptionRow>(OPTIONS).filter(([, { flag }]) =>
    /<(file|dir|place|result|source|key)>/.test(flag),
  );
  const unknown = paths.filter(
    ([name, { reads, setting }]) =>
      !reads && !setting?.isPath && !WRITES.includes(name as OptionName) && name !== 'data',
  );
  expect(unknown.map(([name]) => name)).toEqual([]);
  const reading = Object.entries<OptionRow>(OPTIONS).filter(([, { reads }]) => reads);
  expect(Object.keys(INPUTS).sort()).toEqual(reading.map(([name]) => name).sort());
  const set = Object.entries(SETTINGS).filter(([, row]) => 'isPath' in row);
  expect(Object.keys(SET).sort()).toEqual(set.map(([name]) => name).sort());
});

test('every command that writes what its flags name is among the rows', () => {
  const writing = Object.keys(COMMANDS).filter((name) =>
    listFlags(name).some((flag) => WRITES.includes(flag)),
  );
  expect(writing.sort()).toEqual(Object.keys(LINES).sort());
});

interface Row {
  readonly line: string;
  readonly file: string;
  readonly env?: NodeJS.ProcessEnv;
}

const rows = Object.entries(LINES).flatMap(([command, { line, reads }]) => {
  const flagged = listFlags(command).flatMap((name): Row[] => {
    const file = INPUTS[name];
    const [flag] = OPTIONS[name].flag.split(' ').filter((word) => word.startsWith('--'));
    return file && file !== 'photos' && name !== 'many' ? [{ line: `${line} ${flag} ${file}`, file }] : [];
  });
  const settings = Object.entries(SET).flatMap(([name, [value, file]]): Row[] => {
    const { flag, env } = SETTINGS[name as keyof typeof SETTINGS];
    const isFlag = listFlags(command).some((one) => OPTIONS[one].flag === flag);
    return [
      { line, file, env: { [env]: value } },
      ...(isFlag ? [{ line: `${line} ${flag.split(' ')[0]} ${value}`, file }] : []),
    ];
  });
  const own = command === 'report' ? OWN : OWN.filter((file) => /^config.*new|front/.test(file));
  const others = [...reads, ...own.map((file) => (file === 'photos/front.jpg' ? photo : file))];
  return [...flagged, ...settings, ...others.map((file): Row => ({ line, file }))].map((row) => ({
    command,
    ...row,
  }));
});

describe.each(rows)('$line onto $file', { timeout: 60_000 }, ({ command, line, file, env }) => {
  const folders = { VEHI_MODEL_DIR: 'models', VEHI_DATA_DIR: 'data', XDG_CONFIG_HOME: at('config'), ...env };

  const isNew = file.endsWith('/new.json');
  const isByName = /vehi\.json$|review\.json$|sqlite$/.test(file);
  const ways = ['itself', ...(isNew ? [] : ['a link']), ...(isNew || isByName ? [] : ['a hard link'])];

  it.each(ways)('is refused by %s', async (way) => {
    const before = isNew ? '' : hash(file);
    const target = way === 'itself' ? file : 'by-link.x';
    rmSync(at('by-link.x'), { force: true });
    if (way === 'a link') symlinkSync(at(file), at('by-link.x'));
    if (way === 'a hard link') linkSync(at(file), at('by-link.x'));
    const output = LINES[command]?.out === 'bare' ? target : `json=${target}`;
    const { code, stderr } = await runIn(claim.folder, [...line.split(' '), '-o', output], '', folders);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('would overwrite') });
    expect(stderr).toContain(output);
    if (!isNew) expect(hash(file)).toBe(before);
  });
});
