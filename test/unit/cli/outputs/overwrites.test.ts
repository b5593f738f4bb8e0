// @module-tag slow: several hundred command lines, and some inspections
import {
  chmodSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { COMMANDS, type CommandRow } from '../../../../src/cli/commands.ts';
import { nameDrawnCopies } from '../../../../src/cli/inspect/drawn-copies.ts';
import { OPTIONS, type OptionName, type OptionRow } from '../../../../src/config/options.ts';
import { SETTINGS } from '../../../../src/config/settings.ts';
import { hashBytes } from '../../../../src/lib/ids.ts';
import { loadTables } from '../../../../src/pricing/tables/load.ts';
import { makeClaimFolder } from '../../../helpers/cli/claim-folder.ts';
import { TINY_MODELS, writeDrawnCar } from '../../../helpers/photos/drawn-car.ts';

const { folder, at, inspection, readJson, run, write } = await makeClaimFolder();
mkdirSync(at('car/more'), { recursive: true });
for (const [shade, name] of ['front.jpg', 'rear.heic', 'rear.jpg', 'more/front.jpg'].entries())
  await writeDrawnCar(at(`car/${name}`), shade);
for (const name of ['one', 'two']) cpSync(at('car/front.jpg'), at(`fleet/${name}/front.jpg`));
write('facts.json', { vehicle_id: 'A-1' });
write('fleet/one/vehi.json', {});
write('list.csv', 'vehicle_id,folder\nA,fleet/one\nB,fleet/two\n');
write('damages.json', [{ part: 'hood', type: 'dent', severity: 'minor' }]);
const damage_id = inspection.data.results?.damages[0]?.damage_id;
write('decisions.json', [{ damage_id, decision: 'accept' }]);
for (const name of ['own', 'config/vehi']) mkdirSync(at(name), { recursive: true });
symlinkSync('own', at('own-link'));
cpSync(join(TINY_MODELS, 'manifest.json'), at('manifest.json'));
write('regions.json', loadTables().regions);
write('later.json', inspection);
write('font.otf', 'a font');
write('models/damage-fp32.onnx', 'a model');
write('photos/vehi.json', { vehicle_id: 'A-1' });
for (const name of ['project.json', 'settings.json', 'keys.json', 'key.pem', 'result.review.json'])
  write(name, {});
/** Files of vehi's own that are links to files of other names. */
const LINKED = {
  'project.json': 'vehi.config.json',
  'settings.json': 'config/vehi/config.json',
  'keys.json': 'config/vehi/credentials.json',
  'key.pem': 'config/vehi/evidence-key.pem',
  'manifest.json': 'models/manifest.json',
  'facts.json': 'car/vehi.json',
};
for (const [file, link] of Object.entries(LINKED)) symlinkSync(at(file), at(link));
write('data/vehi.sqlite', 'the database');
const ORIGINALS = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.\w+$/.test(name),
);
const hashOriginals = () => ORIGINALS.map((name) => `${name} ${hashBytes(readFileSync(at(name)))}`);

/** Runs a line that must be refused and change no file. Returns what is said. */
async function refuse(line: string, env: NodeJS.ProcessEnv = {}) {
  const before = hashOriginals();
  const { code, stderr } = await run(line, env);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/would (over)?write/) });
  expect(hashOriginals()).toEqual(before);
  return stderr;
}

symlinkSync('car', at('car-link'));
linkSync(at('car/front.jpg'), at('front-hard.pdf'));
symlinkSync('fleet', at('fleet-link'));
// A link in a linked folder, to a file that does not exist yet.
symlinkSync('../fleet/two/vehi.json', at('car/own-link.x'));
symlinkSync('damages.json', at('own.review.json'));
for (const name of ['list-links', 'sums', 'facts-links']) mkdirSync(at(name));
symlinkSync('../list.csv', at('list-links/A.json'));
symlinkSync('../list.csv', at('sums/summary.csv'));
symlinkSync('../fleet/one/vehi.json', at('facts-links/one.json'));

describe('an output that would overwrite something', { timeout: 120_000 }, () => {
  it.each([
    ['inspect car --annotated car', '--annotated: car/front.jpg', 'the photo car/front.jpg'],
    ['inspect car-link --annotated photos/../car', 'car/front.jpg', 'the photo car-link/front.jpg'],
    ['inspect car/rear.heic --annotated car', 'car/rear.jpg', 'which is a photo'],
    ['inspect car -o json=photos/../fleet/one/front.jpg', 'fleet/one/front.jpg', 'which is a photo'],
    ['inspect car -o pdf=fleet', 'pdf=fleet', 'overwrite a folder'],
    ['inspect car -o photos/VEHI.json', 'photos/VEHI.json', 'vehi.json'],
    ['inspect car -o json=car/n.x -o csv=car-link/n.x', 'csv=car-link/n.x', '--output json=car/n.x'],
    ['inspect car -o json=N\u00e9w.x -o csv=ne\u0301w.X', 'csv=ne\u0301w.X', 'json=N\u00e9w.x'],
    ['inspect car -o json=car-link/own-link.x', 'json=car-link/own-link.x', "a file of vehi's own"],
    ['assess --damage hood:dent -o own.review.json', 'own.review.json', "a file of vehi's own"],
    ['inspect --many fleet --annotated fleet-link', 'annotated fleet-link', 'fleet/one, a folder of photos'],
    ['inspect car -o facts.json', 'facts.json', 'vehi.json, which describes the photos'],
    ['inspect car -o json=front-hard.pdf', 'json=front-hard.pdf', 'the photo car/front.jpg'],
    ['inspect --many list.csv -o list-links', 'list-links/A.json', 'list.csv, which is read'],
    ['inspect --many list.csv -o sums', 'sums (summary.csv)', 'list.csv, which is read'],
    ['inspect --many fleet -o facts-links', 'facts-links/one.json', 'one/vehi.json, which describes'],
  ])('is refused: %s', async (line, output, other) => {
    const said = await refuse(line);
    for (const file of [output, other]) expect(said).toContain(file);
  });

  it('is refused onto a read-only result; another keeps its permissions', async () => {
    await run('report result.json -o kept.csv -o shared.csv');
    chmodSync(at('kept.csv'), 0o444);
    chmodSync(at('shared.csv'), 0o664);
    expect(await run('report result.json -o kept.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--output csv=kept.csv would overwrite kept.csv, which is read-only.'),
    });
    expect((await run('report result.json -o shared.csv')).code).toBe(0);
    expect(statSync(at('shared.csv')).mode & 0o777).toBe(0o664);
  });

  it.each([
    ['assess --damage hood:dent --json -o json=-', 'json'],
    ['compare result.json --checklist -o json=- --quiet', 'json'],
    ['review result.json --decisions decisions.json -o -', 'json'],
    ['assess --damage hood:dent -o csv=-', 'csv'],
    ['assess --damage hood:dent -o pdf=-', 'pdf'],
  ])('is the one document on stdout: %s', async (line, kind) => {
    const { code, stdout } = await run(line);
    expect(code).toBe(0);
    expect(readdirSync(folder)).not.toContain('-');
    if (kind === 'json') expect(() => JSON.parse(stdout)).not.toThrow();
    if (kind === 'csv') expect(stdout.split('\r\n')[0]).toContain('damage_id');
    if (kind === 'pdf') expect([stdout.slice(0, 5), stdout.trimEnd().slice(-5)]).toEqual(['%PDF-', '%%EOF']);
  });

  it.each([
    ['assess damages.json --json -o csv=-', 'csv and json'],
    ['compare result.json result.json --json -o html=-', 'html and json'],
  ])('is refused as the second document on stdout: %s', async (line, kinds) => {
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`stdout takes one document, and ${kinds} were asked for.`);
  });

  it('is written where it replaces only what vehi made itself', async () => {
    const line = 'inspect car/more -r --annotated car/more/marked -o result2.json';
    expect((await run(line)).code).toBe(0);
    expect(readdirSync(at('car/more/marked'))).toEqual(['front.jpg']);
    const second = await run(line);
    expect(second.code).toBe(0);
    expect(second.stderr).toContain('skipped, because vehi drew boxes into it: car/more/marked/front.jpg');
    const { images } = readJson('result2.json').data;
    expect(images.map(({ url }: { url: string }) => url)).toEqual(['car/more/front.jpg']);
    expect(await run('inspect car/more/marked/front.jpg')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        'found a copy with boxes that vehi drew; needed: the photo it was made from',
      ),
    });
  });
});

/** A command line for every command that writes what its flags name. */
const LINES = {
  inspect: 'inspect photos',
  capture: 'capture shots --host 127.0.0.1',
  assess: 'assess damages.json',
  review: 'review result.json --no-open',
  report: 'report result.json',
  compare: 'compare result.json later.json',
};

/** A file for every flag that names an input which a result could replace, and the flags by which a command reads none. */
const INPUTS: Readonly<Record<string, string>> = {
  assessment: 'estimate.json',
  decisions: 'decisions.json',
  baseline: 'result.json',
};
const READ_NONE = ['many', 'photos', 'photosBefore', 'photosAfter', 'verify.key', 'tlsCert', 'tlsKey'];

/** A file that each setting with a path stands for, by the value it is set to. */
const SET: Readonly<Record<string, readonly [value: string, file: string]>> = {
  regions: [at('regions.json'), 'regions.json'],
  font: ['font.otf', 'font.otf'],
  models: ['models', 'models/damage-fp32.onnx'],
  data_dir: ['data', 'data/vehi.sqlite'],
};

/** What no result replaces, whatever a command reads. All commands ask one function: the first three stand for the others. */
const KEPT = [
  'config/vehi/new.json',
  'photos/vehi.json',
  inspection.data.images[0]?.url ?? '',
  ...Object.keys(LINKED).filter((name) => name !== 'facts.json'),
  'own/vehi.config.json',
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
  expect([...Object.keys(INPUTS), ...READ_NONE].sort()).toEqual(reading.map(([name]) => name).sort());
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
  const output = line.startsWith('review') ? file : `json=${file}`;
  const folders = { VEHI_MODEL_DIR: 'models', VEHI_DATA_DIR: 'data', XDG_CONFIG_HOME: at('config'), ...env };
  expect(await refuse(`${line} -o ${output}`, folders)).toContain(output);
});

it.each([
  ['rear.heic, rear.jpg, front.jpg', 'rear.heic.jpg, rear.jpg.jpg, front.jpg'],
  ['front.jpg, b/front.jpg, b/Front.png', 'front.jpg.jpg, front.jpg-2.jpg, Front.png.jpg'],
  ['front.jpg, b/front.jpg', 'front.jpg, front-2.jpg'],
  ['.jpg, what?a#b.jpg', '.jpg.jpg, what?a#b.jpg'],
])('annotated pictures of %s carry distinct names', (urls, names) => {
  const copies = nameDrawnCopies('out', { photos: urls.split(', ').map((url) => ({ url })) });
  expect([...copies.values()]).toEqual(names.split(', ').map((name) => join('out', name)));
});
