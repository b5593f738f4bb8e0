import { execFileSync } from 'node:child_process';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DiscoverOptions, discoverPhotos } from '../../../../src/images/find/discover-photos.ts';
import { gatherPhotos } from '../../../../src/images/find/gather-photos.ts';
import { findPhotos } from '../../../../src/index.ts';
import { makeOwnFolder, openFiles } from '../../../helpers/temporary-folder.ts';

let folder: ReturnType<typeof openFiles>;
beforeEach(() => {
  folder = openFiles(makeOwnFolder('images'));
});

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
const WEBP = 'RIFF0000WEBPVP8 ';

/** Writes files of one content: text, bytes, or an object as JSON; photos without one. */
function put(names: string | readonly string[], content: string | object = JPEG): void {
  for (const name of [names].flat()) folder.write(name, content);
}

const find = (args: readonly string[], more: Partial<DiscoverOptions> = {}) =>
  discoverPhotos(args, { cwd: folder.folder, recursive: false, ...more });
const gather = (...args: string[]) => gatherPhotos(args, { cwd: folder.folder, recursive: true });

async function urls(args: readonly string[], more?: Partial<DiscoverOptions>): Promise<readonly string[]> {
  return (await find(args, more)).photos.map(({ url }) => url);
}

async function* stdin(...chunks: string[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk, 'latin1');
}

describe('discoverPhotos', () => {
  it('takes a folder in natural order, by extension in any case, hidden files left out', async () => {
    const names = ['b.png', 'img_2.HeIc', 'IMG_9.jpg', 'IMG_10.JPG'];
    put([...names, '.hidden.jpg'].map((name) => `car/${name}`));
    put(['car/notes.txt', 'car/vehi.json', 'car/Thumbs.db'], '{}');
    expect(await urls(['car'])).toEqual(names.map((name) => `car/${name}`));
    expect(await urls(['./car/'])).toEqual(names.map((name) => `./car/${name}`));
    expect(await urls([folder.at('car/b.png')])).toEqual([folder.at('car/b.png')]);
  });

  it('takes photos whatever their names, and what is named like one, so that it is refused by name', async () => {
    const photos = ['car/noext', 'car/photo.insp', 'car/space .jpg ', 'car/notes.txt'];
    const names = ['photo.MPO', 'IMG_0001.JPG (1)', 'photo.jpeg?dl=1', 'photo.jpg_large', 'front.heic.part'];
    const others = names.map((name) => `car/${name}`);
    put(photos);
    put(others, 'half of something');
    expect((await urls(['car'])).toSorted()).toEqual([...photos, ...others].toSorted());
  });

  it('passes over what a program keeps of a photo, and documents next to photos', async () => {
    for (const [name, content] of [
      ['front.jpg', JPEG],
      ['front.jpg.supplemental-metadata.json', '{"title":"front.jpg"}'],
      ['front.jpg.xmp', '<?xpacket begin=""?><x:xmpmeta/>'],
      ['front.HEIC.AAE', '<?xml version="1.0"?><plist/>'],
      ['report.pdf', '%PDF-1.7'],
      ['evidence.zip', 'PK\x03\x04'],
      ['report.html', '<!DOCTYPE html>'],
      ['junit.xml', '<?xml version="1.0"?>'],
      ['README', 'text'],
    ] as const)
      put(`car/${name}`, content);
    const { photos, problems, warnings } = await gather('car');
    expect([photos.map(({ url }) => url), problems, warnings]).toEqual([['car/front.jpg'], [], []]);
  });

  it.each([
    ['clip.MOV', '\0\0\0\x14ftypqt  ', 'a video (MP4 or QuickTime)'],
    ['RAW.x', 'II*\0', 'a TIFF or camera raw image'],
    ['drawing', '<?xml version="1.0"?><!-- drawn --><svg >', 'an SVG image'],
    ['photo.raf', 'FUJIFILMCCD-RAW', 'an unknown format'],
  ])('names a picture that is not inspected: %s', async (name, content, found) => {
    put('car/old.tif');
    put(`car/${name}`, Buffer.from(content, 'latin1'));
    const { photos, skipped } = await find(['car']);
    expect([photos.length, skipped]).toEqual([1, [{ url: `car/${name}`, found }]]);
  });

  it.each([
    [5, ''],
    [6, ' and 1 more'],
  ])('names five of %d pictures of other kinds', async (count, rest) => {
    put('many/photo.jpg');
    const names = Array.from({ length: count }, (_, index) => `many/p${index}.webp`);
    put(names, WEBP);
    const shown = names.slice(0, 5).map((name) => `${name} (a WebP image)`);
    expect((await gather('many')).warnings).toEqual([
      `skipped: ${shown.join(', ')}${rest}; photos must be JPEG, PNG or HEIC`,
    ]);
  });

  it('enters folders below only when asked, never node_modules, and links in a circle once', async () => {
    put(['a.jpg', 'deep/er/b.jpg', 'node_modules/c.jpg', '.git/d.jpg'].map((name) => `car/${name}`));
    await symlink('..', folder.at('car/deep/up'));
    await symlink('nowhere', folder.at('car/broken.jpg'));
    expect(await urls(['car'])).toEqual(['car/a.jpg']);
    expect(await urls(['car'], { recursive: true })).toEqual(['car/a.jpg', 'car/deep/er/b.jpg']);
    expect(await urls(['car/**/*.jpg'])).toEqual(['car/a.jpg', 'car/deep/er/b.jpg']);
    execFileSync('mkfifo', [folder.at('car/pipe.jpg')]);
    // Node garbles a name that is not UTF-8.
    const name = [Buffer.from(folder.at('car/ger')), Buffer.from([0xe4]), Buffer.from('t.jpg')];
    await writeFile(Buffer.concat(name), JPEG);
    expect((await find(['car'], { recursive: true })).problems.map(({ message }) => message)).toEqual([
      'car/broken.jpg: found a broken link; needed: a link to an existing photo',
      'car/ger\uFFFDt.jpg: found a name that is not UTF-8; needed: another name',
      'car/pipe.jpg: found a pipe or a device; needed: a photo in a file',
    ]);
  });

  it('keeps the order of the arguments, and names each file, picture and empty argument once', async () => {
    put(['z.jpg', 'car/a.jpg', 'car/b.jpg']);
    await symlink('b.jpg', folder.at('car/link.jpg'));
    const args = ['z.jpg', 'car/b.jpg', 'car', 'car/*.jpg', './z.jpg', 'car/link.jpg'];
    expect(await urls(args)).toEqual(['z.jpg', 'car/b.jpg', 'car/a.jpg']);
    put('web/a.webp', WEBP);
    const { skipped, problems } = await find(['web/*', 'web', 'web', 'gone', 'gone']);
    expect([skipped, problems].map((list) => list.map(({ url }) => url))).toEqual([
      ['web/a.webp'],
      ['web/*', 'web', 'gone'],
    ]);
  });

  it('expands patterns in any case, unless a file has that very name', async () => {
    put(['front.JPG', 'rear.jpeg', 'odd[1].jpg']);
    put('notes.txt', 'text');
    expect(await urls(['*.jp*g'])).toEqual(['front.JPG', 'odd[1].jpg', 'rear.jpeg']);
    expect(await urls(['odd[1].jpg'])).toEqual(['odd[1].jpg']);
    expect(await urls(['{front,rear}.*'])).toEqual(['front.JPG', 'rear.jpeg']);
    expect(await urls([folder.at('*.jpeg')])).toEqual([folder.at('rear.jpeg')]);
    // What is named outright is tried.
    expect(await urls(['notes.txt'])).toEqual(['notes.txt']);
  });

  it.each([
    ['lines', ['a.jpg\nca', 'r\r\n\n  \nb b.jpg\n']],
    ['zeros', ['a.jpg\0car\0b b.jpg\0']],
    ['lines in UTF-16', [Buffer.from('\uFEFFa.jpg\r\ncar\r\nb b.jpg\r\n', 'utf16le').toString('latin1')]],
  ])('reads a list from stdin by %s', async (_name, chunks) => {
    put(['a.jpg', 'b b.jpg', 'car/c.jpg']);
    expect(await urls(['-'], { stdin: stdin(...chunks) })).toEqual(['a.jpg', 'car/c.jpg', 'b b.jpg']);
    // A name in a list is no pattern.
    const found = await find(['-'], { stdin: stdin('*.jpg\n') });
    expect(found).toMatchObject({ photos: [], problems: [{ url: '*.jpg', found: 'no such file' }] });
  });

  it.each([
    ['a picture', ['-'], '\xff\xd8\xff\xe0', /found a picture/],
    ['too much', ['-'], 'x'.repeat(2 ** 20 + 1), /more than 1048576 bytes/],
    ['no stdin', ['-'], undefined, /nothing on stdin/],
    ['two dashes', ['-', '-'], 'a', /given twice/],
    ['an empty path', [''], undefined, /a path is empty/],
  ])('refuses a list: %s', async (_name, args, text, message) => {
    const discovery = find(args, text === undefined ? {} : { stdin: stdin(text) });
    await expect(discovery).rejects.toMatchObject({ kind: 'usage', message: expect.stringMatching(message) });
  });

  it('names what led to nothing', async () => {
    put('texts/a.txt', 'x');
    put('a.jpg');
    const args = ['gone.jpg', 'texts', '*.bmp', 'texts/*', 'a.jpg', 'a.jpg/b.jpg', 'x\u001b[2J'];
    const { photos, problems } = await find(args);
    expect(photos.map(({ url }) => url)).toEqual(['a.jpg']);
    const missing = 'found no such file; needed: an existing photo, folder or pattern';
    const pattern = 'needed: a pattern that matches JPEG, PNG or HEIC files';
    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      `IMAGE_UNREADABLE gone.jpg: ${missing}`,
      'NO_PHOTOS_FOUND texts: found a folder without photos; needed: JPEG, PNG or HEIC files (--recursive looks in the folders below as well)',
      `NO_PHOTOS_FOUND *.bmp: found no such file, and none that matches; ${pattern}`,
      `NO_PHOTOS_FOUND texts/*: found 1 file that matches, not a photo; ${pattern}`,
      `IMAGE_UNREADABLE a.jpg/b.jpg: ${missing}`,
      `IMAGE_UNREADABLE x\\u{1b}[2J: ${missing}`,
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('names a folder that may not be read', async () => {
    put('shut/a.jpg');
    await chmod(folder.at('shut'), 0);
    const problem = { url: 'shut', found: 'no permission to read it' };
    expect((await find(['shut'])).problems).toMatchObject([problem]);
  });
});

describe('gatherPhotos', () => {
  it('knows angle and type from the manifest, else from the name, and the vehicle', async () => {
    put(['car-7/rear.jpg', 'car-7/IMG_2.jpg', 'car-7/in/IMG_3.jpg']);
    const vehicle = { make: 'BMW', year: 2019, market_value: 15500, currency: 'EUR', class: 'premium' };
    const stated = { angle: 'front_left', type: 'exterior' };
    const photos = { 'IMG_2.jpg': stated, './in/IMG_3.jpg': { type: 'interior' } };
    put('car-7/vehi.json', { vehicle_id: 'WBA123', vehicle, photos });
    const gathered = await gather('car-7');
    expect(gathered.photos.map(({ source, ...rest }) => rest)).toEqual([
      { url: 'car-7/IMG_2.jpg', ...stated, angleSource: 'manifest' },
      { url: 'car-7/in/IMG_3.jpg', type: 'interior' },
      { url: 'car-7/rear.jpg', angle: 'rear', angleSource: 'file_name' },
    ]);
    expect(gathered.photos.map(({ source }) => source.name)).toEqual(gathered.photos.map(({ url }) => url));
    const vehicleId = { value: 'WBA123', source: 'manifest' };
    expect(gathered).toMatchObject({ vehicleId, vehicle, warnings: [] });
  });

  it.each([
    ['car-7', { value: 'car-7', source: 'folder' }],
    ['car-7/a.jpg', { value: 'car-7', source: 'folder' }],
    [' ', undefined],
  ])('names the vehicle after the folder of %j where no manifest does', async (path, vehicleId) => {
    put(['car-7/a.jpg', ' /a.jpg']);
    expect((await gather(path)).vehicleId).toEqual(vehicleId);
  });

  it('points out entries that name no photo, of folders that were looked through', async () => {
    put('car/front.jpg');
    put('car/vehi.json', { photos: [{ file: 'fromt.jpg', angle: 'front' }] });
    const { warnings } = await gather('car');
    expect(warnings).toEqual([
      'car/vehi.json: photos names "fromt.jpg" (did you mean "front.jpg"?), which is not among the photos',
    ]);
    expect((await findPhotos([folder.at('car')])).warnings).toEqual([folder.at(warnings[0] ?? '')]);
    expect((await gather('car/front.jpg')).warnings).toEqual([]);
    // A photo with an entry of its own is no suggestion.
    put('car/vehi.json', { photos: { 'fromt.jpg': {}, 'front.jpg': {} } });
    expect((await gather('car')).warnings).toEqual([
      'car/vehi.json: photos names "fromt.jpg", which is not among the photos',
    ]);
  });

  /** Writes two folders of a photo each, with these manifests, and gathers both. */
  async function gatherTwo(one: object, two: object) {
    for (const [car, manifest] of Object.entries({ one, two })) {
      put(`${car}/a.jpg`, Buffer.concat([JPEG, Buffer.from(car)]));
      put(`${car}/vehi.json`, manifest);
    }
    return gather('one', 'two');
  }

  it('takes facts from the manifest of any folder, field by field', async () => {
    const one = { vehicle_id: 'v1', vehicle: { plate: 'B-1', year: 2019 }, claim: { insured: 'A' } };
    const two = { vehicle: { make: 'BMW', year: 2019 }, claim: { insured: 'A', loss_kind: 'hail' } };
    expect(await gatherTwo(one, two)).toMatchObject({
      vehicleId: { value: 'v1' },
      vehicle: { make: 'BMW', plate: 'B-1', year: 2019 },
      claim: { insured: 'A', loss_kind: 'hail' },
    });
  });

  it.each<[string, object, object, unknown, unknown]>([
    ['vehicle_id', { vehicle_id: 'one' }, { vehicle_id: 'two' }, 'one', 'two'],
    ['vehicle.make', { make: 'BMW' }, { make: 'Fiat' }, 'BMW', 'Fiat'],
    ['vehicle.odometer', { odometer: '9 km' }, { odometer: 8 }, { value: 9, unit: 'km' }, { value: 8 }],
    // An amount of one manifest is not in the currency of another.
    ['vehicle.market_value', { market_value: 9 }, { currency: 'EUR' }, { amount: 9 }, { currency: 'EUR' }],
    ['claim.insured', { insured: 'A' }, { insured: 'B' }, 'A', 'B'],
  ])('refuses folders that differ in %s', async (field, one, two, first, second) => {
    const [group, inGroup] = field.split('.');
    const [a, b] = [one, two].map((facts) => (inGroup ? { [group ?? '']: facts } : facts));
    await expect(gatherTwo(a ?? {}, b ?? {})).rejects.toMatchObject({
      code: 'CONFLICTING_MANIFESTS',
      message: `one/vehi.json says ${field} ${JSON.stringify(first)}, two/vehi.json says ${JSON.stringify(second)}.`,
      field,
    });
  });
});
