// @module-tag slow: hundreds of command lines and some inspections
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { nameDrawnCopies } from '../../../../src/cli/inspect/drawn-copies.ts';
import { createRandom } from '../../../../src/lib/random.ts';
import { makeClaimFolder, runIn } from '../../../helpers/cli/claim-folder.ts';
import { writeDrawnCar } from '../../../helpers/photos/drawn-car.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

const base = makeOwnFolder('overwrites');
const claim = await makeClaimFolder();
const original = join(base, 'original');
mkdirSync(join(original, 'car/more'), { recursive: true });
mkdirSync(join(original, 'fleet'), { recursive: true });
await writeDrawnCar(join(original, 'car/front.jpg'));
await writeDrawnCar(join(original, 'car/rear.heic'), 3);
await writeDrawnCar(join(original, 'car/rear.jpg'), 6);
await writeDrawnCar(join(original, 'car/more/front.jpg'), 9);
for (const name of ['one', 'two'])
  cpSync(join(original, 'car'), join(original, 'fleet', name), { recursive: true });
cpSync(join(claim.folder, 'result.json'), join(original, 'result.json'));
cpSync(join(claim.folder, 'estimate.json'), join(original, 'estimate.json'));
cpSync(join(claim.folder, 'photos'), join(original, 'photos'), { recursive: true });
writeFileSync(join(original, 'car/vehi.json'), '{"vehicle_id": "A-1"}');
writeFileSync(join(original, 'fleet/one/vehi.json'), '{}');
writeFileSync(join(original, 'list.csv'), 'vehicle_id,folder\nA,fleet/one\nB,fleet/two\n');
writeFileSync(join(original, 'damages.json'), '[{"part": "hood", "type": "dent", "severity": "minor"}]');
const damageId = claim.inspection.data.results?.damages[0]?.damage_id;
writeFileSync(
  join(original, 'decisions.json'),
  JSON.stringify([{ damage_id: damageId, decision: 'accept' }]),
);

await runIn(original, ['report', 'result.json', '-o', 'evidence.zip'], '', { XDG_CONFIG_HOME: base });

const folder = join(base, 'work');
const ORIGINALS = readdirSync(original, { recursive: true, encoding: 'utf8' }).filter((name) =>
  lstatSync(join(original, name)).isFile(),
);
const TEXT_FILES = ORIGINALS.filter((name) => /\.(json|csv|zip)$/.test(name) && !name.endsWith('vehi.json'));

function restore(): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(original, folder, { recursive: true });
  symlinkSync('car', join(folder, 'car-link'));
  symlinkSync('car/front.jpg', join(folder, 'front-link.jpg'));
  symlinkSync('result.json', join(folder, 'result-link.json'));
  linkSync(join(folder, 'car/front.jpg'), join(folder, 'front-hard.pdf'));
  symlinkSync('fleet', join(folder, 'fleet-link'));
  // A link in a linked folder, to a file that does not exist yet.
  symlinkSync('../photos/vehi.json', join(folder, 'car/own-link.x'));
  for (const name of ['list-links', 'facts-links']) mkdirSync(join(folder, name));
  symlinkSync('../list.csv', join(folder, 'list-links/A.json'));
  symlinkSync('../fleet/one/vehi.json', join(folder, 'facts-links/one.json'));
}

/** Returns the hashes of files that were there at first. */
function hashOriginals(files = ORIGINALS): Readonly<Record<string, string>> {
  const hash = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return Object.fromEntries(files.map((name) => [name, hash(name)]));
}

const run = (args: readonly string[]) => runIn(folder, args);

describe('an output that would overwrite something', { timeout: 120_000 }, () => {
  beforeEach(restore);

  it.each<[args: string, named: readonly string[]]>([
    ['inspect car --annotated car', ['--annotated: car/front.jpg', 'the photo car/front.jpg']],
    ['inspect car --annotated ./car-link', ['car-link/front.jpg', 'the photo car/front.jpg']],
    ['inspect car-link --annotated car', ['car/front.jpg', 'the photo car-link/front.jpg']],
    ['inspect car/front.jpg --annotated photos/../car', ['car/front.jpg', 'the photo car/front.jpg']],
    ['inspect car/rear.heic --annotated car', ['car/rear.jpg', 'which is a photo']],
    ['inspect car -o pdf=car/front.jpg', ['--output pdf=car/front.jpg', 'the photo car/front.jpg']],
    ['inspect car -o pdf=front-link.jpg', ['pdf=front-link.jpg', 'the photo car/front.jpg']],
    ['inspect car -o front-hard.pdf', ['front-hard.pdf', 'the photo car/front.jpg']],
    ['inspect car -o json=photos/../fleet/one/front.jpg', ['fleet/one/front.jpg', 'which is a photo']],
    ['inspect car -o car/vehi.json', ['car/vehi.json', 'describes the photos']],
    ['inspect car -o pdf=fleet', ['pdf=fleet', 'overwrite a folder']],
    ['inspect car -o photos/VEHI.json', ['photos/VEHI.json', 'vehi.json']],
    ['inspect car -o json=new.x -o csv=new.x', ['csv=new.x', '--output json=new.x']],
    ['inspect car -o json=new/../new.x -o csv=./new.x', ['csv=./new.x', '--output json=new/../new.x']],
    ['inspect car -o json=car/n.x -o csv=car-link/n.x', ['csv=car-link/n.x', 'json=car/n.x']],
    ['inspect car -o json=New.x -o csv=new.X', ['csv=new.X', 'json=New.x']],
    ['inspect --many fleet --annotated fleet', ['--annotated fleet', 'fleet/one, a folder of photos']],
    ['inspect car -o json=car-link/own-link.x', ['json=car-link/own-link.x', "a file of vehi's own"]],
    ['inspect --many fleet --annotated fleet-link', ['--annotated fleet-link', 'fleet/one']],
    ['inspect --many fleet -o res -o json=res', ['two folders', 'results']],
    ['inspect --many list.csv -o list-links', ['list-links/A.json', 'list.csv, which is read']],
    ['inspect --many fleet -o facts-links', ['facts-links/one.json', 'one/vehi.json, which describes']],
    ['compare result.json estimate.json -o estimate.json', ['json=estimate.json', 'which is read']],
    ['report evidence.zip -o evidence=evidence.zip', ['evidence=evidence.zip', 'which is read']],
    ['report result.json -o pdf=car/rear.jpg', ['pdf=car/rear.jpg', 'which is a photo']],
    ['assess result.json -o csv=car/vehi.json', ['csv=car/vehi.json', 'vehi.json']],
    ['report result.json -o evidence=result-link.json', ['evidence=result-link.json', 'which is read']],
  ])('is refused: %s', async (args, [output, other]) => {
    const before = hashOriginals();
    const { code, stderr } = await run(args.split(' '));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(output ?? '') });
    expect(stderr).toContain(other);
    expect(hashOriginals()).toEqual(before);
  });

  it('is refused onto a read-only result; another keeps its permissions', async () => {
    await run(['report', 'result.json', '-o', 'kept.csv', '-o', 'shared.csv']);
    chmodSync(join(folder, 'kept.csv'), 0o444);
    chmodSync(join(folder, 'shared.csv'), 0o664);
    const refused = await run(['report', 'result.json', '-o', 'kept.csv']);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('--output csv=kept.csv would overwrite kept.csv, which is read-only.'),
    ]);
    expect((await run(['report', 'result.json', '-o', 'shared.csv'])).code).toBe(0);
    expect(statSync(join(folder, 'shared.csv')).mode & 0o777).toBe(0o664);
  });

  it.each([
    ['assess --damage hood:dent -o json=-', 'json'],
    ['assess --damage hood:dent --json -o json=-', 'json'],
    ['report result.json -o json=-', 'json'],
    ['inspect car/front.jpg -o json=-', 'json'],
    ['inspect car/front.jpg --json -o json=-', 'json'],
    ['compare result.json result.json -o json=- --quiet', 'json'],
    ['compare result.json result.json --json -o json=- --quiet', 'json'],
    ['compare result.json --checklist -o json=- --quiet', 'json'],
    ['compare result.json --checklist --json -o json=- --quiet', 'json'],
    ['review result.json --decisions decisions.json -o -', 'json'],
    ['assess --damage hood:dent -o csv=-', 'csv'],
    ['assess --damage hood:dent -o pdf=-', 'pdf'],
  ])('is the one document on stdout: %s', async (args, kind) => {
    const { code, stdout } = await run(args.split(' '));
    const text = stdout.toString('latin1');
    expect(code).toBe(0);
    expect(readdirSync(folder)).not.toContain('-');
    if (kind === 'json') expect(() => JSON.parse(text)).not.toThrow();
    if (kind === 'csv') expect(text.split('\r\n')[0]).toContain('damage_id');
    if (kind === 'pdf') expect([text.slice(0, 5), text.trimEnd().slice(-5)]).toEqual(['%PDF-', '%%EOF']);
  });

  it.each([
    ['assess damages.json --json -o csv=-', 'csv and json'],
    ['inspect car/front.jpg -o json=- -o csv=-', 'json and csv'],
    ['report result.json --format json -o csv=-', 'csv and json'],
    ['compare result.json result.json --json -o html=-', 'html and json'],
    ['compare result.json --checklist --json -o html=-', 'html and json'],
  ])('is refused as the second document on stdout: %s', async (args, kinds) => {
    const { code, stdout, stderr } = await run(args.split(' '));
    expect([code, stdout.toString()]).toEqual([2, '']);
    expect(stderr).toContain(`stdout takes one document, and ${kinds} were asked for.`);
  });

  it('names each vehicle of a fleet by its folder, also one without photos', async () => {
    for (const name of ['empty', 'void']) mkdirSync(join(folder, 'fleet', name));
    const { stdout } = await run(['inspect', '--many', 'fleet', '-o', 'res', '--format', 'csv']);
    const ids = stdout
      .toString()
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    expect(ids).toEqual(['empty', 'one', 'two', 'void']);
  });

  it('is written where it replaces only what vehi made itself', async () => {
    const args = ['inspect', 'car', '-r', '--annotated', 'car/marked', '-o', 'result2.json'];
    const first = await run(args);
    expect([first.code, readdirSync(join(folder, 'car/marked'))]).toEqual([
      0,
      ['front-2.jpg', 'front.jpg', 'rear.heic.jpg', 'rear.jpg.jpg'],
    ]);
    const second = await run(args);
    expect(second.code).toBe(0);
    expect(second.stderr).toContain('skipped, because vehi drew boxes into them: car/marked/front-2.jpg');
    const images = JSON.parse(readFileSync(join(folder, 'result2.json'), 'utf8')).data.images;
    expect(images.map(({ url }: { url: string }) => url)).toEqual([
      'car/front.jpg',
      'car/more/front.jpg',
      'car/rear.heic',
      'car/rear.jpg',
    ]);
    const named = await run(['inspect', 'car/marked/front.jpg']);
    expect([named.code, named.stderr]).toEqual([
      3,
      expect.stringContaining('found a copy with boxes that vehi drew; needed: the photo it was made from'),
    ]);
  });

  it('changes no original in 96 random command lines', async () => {
    const random = createRandom(20261129);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const before = hashOriginals(TEXT_FILES);
    const allBefore = hashOriginals();
    const names = [
      ...ORIGINALS,
      ...[
        'car-link/front.jpg',
        'front-link.jpg',
        'front-hard.pdf',
        'result-link.json',
        'fleet-link/one/rear.jpg',
      ],
      ...['new.json', 'new.csv', 'car/new.pdf', './car/../result.json', 'CAR/front.jpg', 'car', '.', '-'],
    ];
    // Kinds without pictures: a file is refused by its name, whatever would be written.
    const kinds = ['json', 'csv', 'markdown', 'table'];
    const output = () => {
      const name = pick(names);
      return random() < 0.2 ? name : `${pick(kinds)}=${name}`;
    };
    const folders = ['.', 'car', 'car-link', 'fleet', 'fleet-link', 'car/more', 'photos', 'fleet/one'];
    const codes = new Map<number, number>();
    for (let n = 0; n < 96; n++) {
      const outputs = Array.from({ length: 1 + Math.floor(random() * 2) }, () => ['-o', output()]).flat();
      const isSlow = n % 24 === 0;
      const args = isSlow
        ? pick([
            ['inspect', 'car', '--annotated', pick(folders), ...outputs],
            [
              'inspect',
              '--many',
              pick(['fleet', 'list.csv']),
              '--annotated',
              pick(folders),
              '-o',
              pick(folders),
            ],
          ])
        : pick([
            ['report', pick(['result.json', 'result-link.json']), ...outputs],
            ['assess', pick(['damages.json', 'result.json']), ...outputs],
            ['review', 'result.json', '--decisions', 'decisions.json', '-o', pick(names)],
            ['assess', '--damage', 'hood:dent', ...outputs],
          ]);
      const { code } = await run([...args, '--now', '2026-11-20T12:00:00Z']);
      codes.set(code, (codes.get(code) ?? 0) + 1);
      // A text file that the command does not read is an output like any other, and put back.
      const inputs = args.slice(0, args.indexOf('-o')).map((word) => word.replace('-link.json', '.json'));
      for (const name of TEXT_FILES)
        if (!inputs.includes(name)) cpSync(join(original, name), join(folder, name));
      expect(hashOriginals(TEXT_FILES), args.join(' ')).toEqual(before);
      if (isSlow) expect(hashOriginals(), args.join(' ')).toEqual(allBefore);
    }
    expect(hashOriginals()).toEqual(allBefore);
    expect(codes.get(2), 'refused').toBeGreaterThan(28);
    expect(codes.get(0), 'written').toBeGreaterThan(4);
    expect(codes.has(1)).toBe(false);
  });
});

describe('annotated pictures', () => {
  it.each([
    [
      ['a/rear.heic', 'a/rear.jpg', 'a/front.jpg'],
      ['rear.heic.jpg', 'rear.jpg.jpg', 'front.jpg'],
    ],
    [
      ['a/front.jpg', 'b/front.jpg', 'b/Front.png'],
      ['front.jpg.jpg', 'front.jpg-2.jpg', 'Front.png.jpg'],
    ],
    [
      ['a/front.jpg', 'b/front.jpg'],
      ['front.jpg', 'front-2.jpg'],
    ],
    [
      ['.jpg', 'what?a#b.jpg'],
      ['.jpg.jpg', 'what?a#b.jpg'],
    ],
  ])('carry distinct names: %j', (urls, names) => {
    const copies = nameDrawnCopies('out', { photos: urls.map((url) => ({ url })) });
    expect([...copies.values()]).toEqual(names.map((name) => join('out', name)));
  });
});
