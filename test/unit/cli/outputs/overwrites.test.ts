// @module-tag slow: some inspections
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
import { describe, expect, it } from 'vitest';
import { nameDrawnCopies } from '../../../../src/cli/inspect/drawn-copies.ts';
import { hashBytes } from '../../../../src/lib/ids.ts';
import { makeClaimFolder } from '../../../helpers/cli/claim-folder.ts';
import { writeDrawnCar } from '../../../helpers/photos/drawn-car.ts';

const { folder, at, inspection, readJson, run, write } = await makeClaimFolder();
mkdirSync(at('car/more'), { recursive: true });
for (const [shade, name] of ['front.jpg', 'rear.heic', 'rear.jpg', 'more/front.jpg'].entries())
  await writeDrawnCar(at(`car/${name}`), shade);
for (const name of ['one', 'two']) cpSync(at('car/front.jpg'), at(`fleet/${name}/front.jpg`));
write('car/vehi.json', { vehicle_id: 'A-1' });
write('fleet/one/vehi.json', {});
write('list.csv', 'vehicle_id,folder\nA,fleet/one\nB,fleet/two\n');
write('damages.json', [{ part: 'hood', type: 'dent', severity: 'minor' }]);
const damage_id = inspection.data.results?.damages[0]?.damage_id;
write('decisions.json', [{ damage_id, decision: 'accept' }]);
const ORIGINALS = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.\w+$/.test(name),
);
const hashOriginals = () => ORIGINALS.map((name) => `${name} ${hashBytes(readFileSync(at(name)))}`);

symlinkSync('car', at('car-link'));
linkSync(at('car/front.jpg'), at('front-hard.pdf'));
symlinkSync('fleet', at('fleet-link'));
// A link in a linked folder, to a file that does not exist yet.
symlinkSync('../photos/vehi.json', at('car/own-link.x'));
for (const name of ['list-links', 'facts-links']) mkdirSync(at(name));
symlinkSync('../list.csv', at('list-links/A.json'));
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
    ['inspect car -o json=New.x -o csv=new.X', 'csv=new.X', 'json=New.x'],
    ['inspect car -o json=car-link/own-link.x', 'json=car-link/own-link.x', "a file of vehi's own"],
    [
      'inspect --many fleet --annotated fleet-link',
      '--annotated fleet-link',
      'fleet/one, a folder of photos',
    ],
    ['inspect car -o json=front-hard.pdf', 'json=front-hard.pdf', 'the photo car/front.jpg'],
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
