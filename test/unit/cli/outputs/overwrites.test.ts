// @module-tag slow: hundreds of command lines and some inspections
import {
  chmodSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameDrawnCopies } from '../../../../src/cli/inspect/drawn-copies.ts';
import { hashBytes } from '../../../../src/lib/ids.ts';
import { createRandom } from '../../../../src/lib/random.ts';
import { makeClaimFolder, openFolder } from '../../../helpers/cli/claim-folder.ts';
import { writeDrawnCar } from '../../../helpers/photos/drawn-car.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

const base = makeOwnFolder('overwrites');
const { folder: original, inspection, write } = await makeClaimFolder();
for (const name of ['car/more', 'fleet']) mkdirSync(join(original, name), { recursive: true });
await writeDrawnCar(join(original, 'car/front.jpg'));
await writeDrawnCar(join(original, 'car/rear.heic'), 3);
await writeDrawnCar(join(original, 'car/rear.jpg'), 6);
await writeDrawnCar(join(original, 'car/more/front.jpg'), 9);
for (const name of ['one', 'two'])
  cpSync(join(original, 'car'), join(original, 'fleet', name), { recursive: true });
write('car/vehi.json', { vehicle_id: 'A-1' });
write('fleet/one/vehi.json', {});
write('list.csv', 'vehicle_id,folder\nA,fleet/one\nB,fleet/two\n');
write('damages.json', [{ part: 'hood', type: 'dent', severity: 'minor' }]);
const damage_id = inspection.data.results?.damages[0]?.damage_id;
write('decisions.json', [{ damage_id, decision: 'accept' }]);

const { folder, at, readJson, run } = openFolder(join(base, 'work'));
const ORIGINALS = readdirSync(original, { recursive: true, encoding: 'utf8' }).filter((name) =>
  lstatSync(join(original, name)).isFile(),
);
const TEXT_FILES = ORIGINALS.filter((name) => /\.(json|csv)$/.test(name) && !name.endsWith('vehi.json'));

cpSync(original, folder, { recursive: true });
symlinkSync('car', at('car-link'));
symlinkSync('car/front.jpg', at('front-link.jpg'));
symlinkSync('result.json', at('result-link.json'));
linkSync(at('car/front.jpg'), at('front-hard.pdf'));
symlinkSync('fleet', at('fleet-link'));
// A link in a linked folder, to a file that does not exist yet.
symlinkSync('../photos/vehi.json', at('car/own-link.x'));
for (const name of ['list-links', 'facts-links']) mkdirSync(at(name));
symlinkSync('../list.csv', at('list-links/A.json'));
symlinkSync('../fleet/one/vehi.json', at('facts-links/one.json'));

/** Returns the hashes of files that were there at first. */
const hashOriginals = (files = ORIGINALS) =>
  files.map((name) => `${name} ${hashBytes(readFileSync(at(name)))}`);

describe('an output that would overwrite something', { timeout: 120_000 }, () => {
  it.each([
    ['inspect car --annotated car', '--annotated: car/front.jpg', 'the photo car/front.jpg'],
    ['inspect car-link --annotated photos/../car', 'car/front.jpg', 'the photo car-link/front.jpg'],
    ['inspect car/rear.heic --annotated car', 'car/rear.jpg', 'which is a photo'],
    ['inspect car -o json=photos/../fleet/one/front.jpg', 'fleet/one/front.jpg', 'which is a photo'],
    ['inspect car -o pdf=fleet', 'pdf=fleet', 'overwrite a folder'],
    ['inspect car -o photos/VEHI.json', 'photos/VEHI.json', 'vehi.json'],
    ['inspect car -o json=car/n.x -o csv=car-link/n.x', 'csv=car-link/n.x', '--output json=car/n.x'],
    ['inspect car -o json=New.x -o csv=new.X', 'csv=new.X', 'json=New.x'],
    ['inspect car -o json=car-link/own-link.x', 'json=car-link/own-link.x', "a file of vehi's own"],
    [
      'inspect --many fleet --annotated fleet-link',
      '--annotated fleet-link',
      'fleet/one, a folder of photos',
    ],
    ['inspect --many list.csv -o list-links', 'list-links/A.json', 'list.csv, which is read'],
    ['inspect --many fleet -o facts-links', 'facts-links/one.json', 'one/vehi.json, which describes'],
  ])('is refused: %s', async (line, output, other) => {
    const before = hashOriginals();
    const { code, stderr } = await run(line);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(output) });
    expect(stderr).toContain(other);
    expect(hashOriginals()).toEqual(before);
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

  it('changes no original in 48 random command lines', async () => {
    const random = createRandom(20261129);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const before = hashOriginals(TEXT_FILES);
    const allBefore = hashOriginals();
    const links = 'car-link/front.jpg front-link.jpg front-hard.pdf result-link.json fleet-link/one/rear.jpg';
    const others = 'new.json new.csv car/new.pdf ./car/../result.json CAR/front.jpg car . -';
    const names = [...ORIGINALS, ...links.split(' '), ...others.split(' ')];
    // Kinds without pictures: a file is refused by its name, whatever would be written.
    const kinds = ['json', 'csv', 'markdown', 'table'];
    const output = () => `-o ${random() < 0.2 ? '' : `${pick(kinds)}=`}${pick(names)}`;
    const codes: number[] = [];
    for (let n = 0; n < 48; n++) {
      const outputs = Array.from({ length: 1 + Math.floor(random() * 2) }, output).join(' ');
      const line = pick([
        `report ${pick(['result.json', 'result-link.json'])} ${outputs}`,
        `assess ${pick(['damages.json', 'result.json'])} ${outputs}`,
        `review result.json --decisions decisions.json -o ${pick(names)}`,
        `assess --damage hood:dent ${outputs}`,
      ]);
      codes.push((await run(line)).code ?? 0);
      // A text file that the command does not read is an output like any other, and put back.
      const [inputs = ''] = line.replaceAll('-link.json', '.json').split(' -o ');
      for (const name of TEXT_FILES)
        if (!inputs.split(' ').includes(name)) cpSync(join(original, name), at(name));
      expect(hashOriginals(TEXT_FILES), line).toEqual(before);
    }
    expect(hashOriginals()).toEqual(allBefore);
    expect(codes.filter((code) => code === 2).length, 'refused').toBeGreaterThan(14);
    expect(codes.filter((code) => code === 0).length, 'written').toBeGreaterThan(2);
    expect(codes).not.toContain(1);
  });
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
