import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { discoverPhotos } from '../../../../src/images/find/discover-photos.ts';
import { gatherPhotos } from '../../../../src/images/find/gather-photos.ts';
import { findPhotos } from '../../../../src/index.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

let cwd = '';
beforeEach(() => {
  cwd = makeOwnFolder('images');
});

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);

async function put(path: string, content: string | Uint8Array = JPEG): Promise<void> {
  await mkdir(dirname(join(cwd, path)), { recursive: true });
  await writeFile(join(cwd, path), content);
}

async function urls(args: readonly string[], recursive = false): Promise<readonly string[]> {
  return (await discoverPhotos(args, { cwd, recursive })).photos.map(({ url }) => url);
}

async function* stdin(...chunks: string[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk, 'latin1');
}

describe('discoverPhotos', () => {
  it('takes a folder in natural order, by extension in any case, hidden files left out', async () => {
    for (const name of ['IMG_10.JPG', 'IMG_9.jpg', 'img_2.HeIc', 'b.png', '.hidden.jpg']) {
      await put(`car/${name}`);
    }
    for (const name of ['notes.txt', 'vehi.json', 'Thumbs.db']) await put(`car/${name}`, '{}');
    expect(await urls(['car'])).toEqual(['car/b.png', 'car/img_2.HeIc', 'car/IMG_9.jpg', 'car/IMG_10.JPG']);
    expect(await urls(['./car/'])).toEqual([
      './car/b.png',
      './car/img_2.HeIc',
      './car/IMG_9.jpg',
      './car/IMG_10.JPG',
    ]);
    expect(await urls([join(cwd, 'car/b.png')])).toEqual([join(cwd, 'car/b.png')]);
  });

  it.each([
    ...['photo.MPO', 'IMG_0001.JPG (1)', 'photo.jpeg?dl=1', 'photo.jpg_large', 'noext', 'photo.JPG_original'],
    ...['photo.jpg~', 'photo.jpg.crdownload', 'photo.insp', 'trailing dot..jpg', 'space .jpg ', 'notes.txt'],
  ])('takes a photo by its content, whatever its name: %s', async (name) => {
    await put(`named/${name}`);
    expect(await urls(['named'])).toEqual([`named/${name}`]);
  });

  it.each([
    'photo.MPO',
    'IMG_0001.JPG (1)',
    'photo.jpeg?dl=1',
    'photo.jpg_large',
    'front.heic.part',
    'a.pjpeg (1)',
  ])(
    'tries a file that is named like a photo, so that it is named if it cannot be read: %s',
    async (name) => {
      await put(`cut/${name}`, 'half of something');
      expect(await urls(['cut'])).toEqual([`cut/${name}`]);
    },
  );

  it.each([
    ['front.jpg.json', '{"title":"front.jpg"}'],
    ['front.jpg.supplemental-metadata.json', '{"title":"front.jpg"}'],
    ['front.jpg.xmp', '<?xpacket begin=""?><x:xmpmeta/>'],
    ['front.HEIC.AAE', '<?xml version="1.0"?><plist/>'],
  ])('passes over what a program keeps of a photo: %s', async (name, content) => {
    await put('sidecars/front.jpg');
    await put(`sidecars/${name}`, content);
    const { photos, problems, skipped } = await discoverPhotos(['sidecars'], { cwd, recursive: false });
    expect([photos.map(({ url }) => url), problems, skipped]).toEqual([['sidecars/front.jpg'], [], []]);
  });

  it.each([
    ['clip.MOV', '\0\0\0\x14ftypqt  ', 'a video (MP4 or QuickTime)'],
    ['RAW.x', 'II*\0', 'a TIFF or camera raw image'],
    ['drawing', '<?xml version="1.0"?><!-- drawn --><svg >', 'an SVG image'],
    ['photo.raf', 'FUJIFILMCCD-RAW', 'an unknown format'],
  ])('names a picture that is not inspected: %s', async (name, content, found) => {
    await put('others/front.jpg');
    await put(`others/${name}`, Buffer.from(content, 'latin1'));
    expect((await discoverPhotos(['others'], { cwd, recursive: false })).skipped).toEqual([
      { url: `others/${name}`, found },
    ]);
  });

  it('leaves documents next to photos alone without a word', async () => {
    await put('mixed/front.jpg');
    for (const [name, content] of [
      ['report.pdf', '%PDF-1.7'],
      ['evidence.zip', 'PK\x03\x04'],
      ['report.html', '<!DOCTYPE html>'],
      ['junit.xml', '<?xml version="1.0"?>'],
    ] as const)
      await put(`mixed/${name}`, content);
    const { photos, problems, warnings } = await gatherPhotos(['mixed'], { cwd, recursive: false });
    expect([photos.map(({ url }) => url), problems, warnings]).toEqual([['mixed/front.jpg'], [], []]);
  });

  it('looks into files without a telling extension, and names pictures of other kinds', async () => {
    await put('car/scan');
    await put('car/old.tif', JPEG);
    await put('car/web.webp', 'RIFF0000WEBPVP8 ');
    await put('car/README', 'text');
    const found = await discoverPhotos(['car'], { cwd, recursive: false });
    expect(found.photos.map(({ url }) => url)).toEqual(['car/old.tif', 'car/scan']);
    expect(found.skipped).toEqual([{ url: 'car/web.webp', found: 'a WebP image' }]);
    expect((await gatherPhotos(['car'], { cwd, recursive: false })).warnings).toEqual([
      'skipped: car/web.webp (a WebP image); photos must be JPEG, PNG or HEIC',
    ]);
  });

  it.each([
    [5, ''],
    [6, ' and 1 more'],
    [9, ' and 4 more'],
  ])('names five of %d pictures of other kinds', async (count, rest) => {
    await put('many/photo.jpg', JPEG);
    const names = Array.from({ length: count }, (_, index) => `many/p${index}.webp`);
    for (const name of names) await put(name, 'RIFF0000WEBPVP8 ');
    const shown = names.slice(0, 5).map((name) => `${name} (a WebP image)`);
    expect((await gatherPhotos(['many'], { cwd, recursive: false })).warnings).toEqual([
      `skipped: ${shown.join(', ')}${rest}; photos must be JPEG, PNG or HEIC`,
    ]);
  });

  it('enters folders below only when asked, never node_modules, and links in a circle once', async () => {
    await put('car/a.jpg');
    await put('car/deep/er/b.jpg');
    await put('car/node_modules/c.jpg');
    await put('car/.git/d.jpg');
    await symlink('..', join(cwd, 'car/deep/up'));
    await symlink('nowhere', join(cwd, 'car/broken.jpg'));
    expect(await urls(['car'])).toEqual(['car/a.jpg']);
    expect(await urls(['car'], true)).toEqual(['car/a.jpg', 'car/deep/er/b.jpg']);
    expect(await urls(['car/**/*.jpg'])).toEqual(['car/a.jpg', 'car/deep/er/b.jpg']);
    execFileSync('mkfifo', [join(cwd, 'car/pipe.jpg')]);
    const { problems } = await discoverPhotos(['car'], { cwd, recursive: true });
    expect(problems.map(({ message }) => message)).toEqual([
      'car/broken.jpg: found a broken link; needed: a link to an existing photo',
      'car/pipe.jpg: found a pipe or a device; needed: a photo in a file',
    ]);
  });

  it('names a file whose name is not UTF-8 as such', async () => {
    await put('car/a.jpg');
    await put('car/\uFFFD.jpg');
    await writeFile(
      Buffer.concat([Buffer.from(join(cwd, 'car/ger')), Buffer.from([0xe4]), Buffer.from('t.jpg')]),
      JPEG,
    );
    const { photos, problems } = await discoverPhotos(['car'], { cwd, recursive: false });
    expect(photos.map(({ url }) => url)).toEqual(['car/a.jpg', 'car/\uFFFD.jpg']);
    expect(problems.map(({ message }) => message)).toEqual([
      'car/ger\uFFFDt.jpg: found a name that is not UTF-8; needed: another name',
    ]);
  });

  it('keeps the order of the arguments and each file once', async () => {
    await put('z.jpg');
    await put('car/a.jpg');
    await put('car/b.jpg');
    await symlink('b.jpg', join(cwd, 'car/link.jpg'));
    expect(await urls(['z.jpg', 'car/b.jpg', 'car', 'car/*.jpg', './z.jpg', 'car/link.jpg'])).toEqual([
      'z.jpg',
      'car/b.jpg',
      'car/a.jpg',
    ]);
  });

  it('names a picture of another kind and an argument without photos once', async () => {
    await put('car/a.webp', 'RIFF0000WEBPVP8 ');
    const found = await discoverPhotos(['car/*', 'car', 'car', 'gone', 'gone'], { cwd, recursive: false });
    expect(found.skipped.map(({ url }) => url)).toEqual(['car/a.webp']);
    expect(found.problems.map(({ url }) => url)).toEqual(['car/*', 'car', 'gone']);
  });

  it('expands patterns in any case, unless a file has that very name', async () => {
    await put('front.JPG');
    await put('rear.jpeg');
    await put('odd[1].jpg');
    await put('notes.txt');
    expect(await urls(['*.jp*g'])).toEqual(['front.JPG', 'odd[1].jpg', 'rear.jpeg']);
    expect(await urls(['odd[1].jpg'])).toEqual(['odd[1].jpg']);
    expect(await urls(['{front,rear}.*'])).toEqual(['front.JPG', 'rear.jpeg']);
    expect(await urls([join(cwd, '*.jpeg')])).toEqual([join(cwd, 'rear.jpeg')]);
  });

  it('tries whatever is named outright', async () => {
    await put('photo.txt', 'text');
    expect(await urls(['photo.txt'])).toEqual(['photo.txt']);
  });

  it.each([
    ['lines', ['a.jpg\nca', 'r\r\n\n  \nb b.jpg\n']],
    ['zeros', ['a.jpg\0car\0b b.jpg\0']],
    ['lines in UTF-16', [Buffer.from('\uFEFFa.jpg\r\ncar\r\nb b.jpg\r\n', 'utf16le').toString('latin1')]],
  ])('reads a list from stdin by %s', async (_name, chunks) => {
    for (const path of ['a.jpg', 'b b.jpg', 'car/c.jpg']) await put(path);
    const found = await discoverPhotos(['-'], { cwd, recursive: false, stdin: stdin(...chunks) });
    expect(found.photos.map(({ url }) => url)).toEqual(['a.jpg', 'car/c.jpg', 'b b.jpg']);
  });

  it('takes names in a list as they are', async () => {
    await put('a.jpg');
    const found = await discoverPhotos(['-'], { cwd, recursive: false, stdin: stdin('*.jpg\n') });
    expect(found.photos).toEqual([]);
    expect(found.problems).toMatchObject([{ url: '*.jpg', found: 'no such file' }]);
  });

  it.each([
    ['a picture', ['-'], () => stdin('\xff\xd8\xff\xe0'), /found a picture/],
    ['too much', ['-'], () => stdin('x'.repeat(2 ** 20 + 1)), /more than 1048576 bytes/],
    ['no stdin', ['-'], () => undefined, /nothing on stdin/],
    ['two dashes', ['-', '-'], () => stdin('a'), /given twice/],
    ['an empty path', [''], () => undefined, /a path is empty/],
  ])('refuses a list: %s', async (_name, args, make, message) => {
    const input = make();
    const discovery = discoverPhotos(args, {
      cwd,
      recursive: false,
      ...(input === undefined ? {} : { stdin: input }),
    });
    await expect(discovery).rejects.toMatchObject({ kind: 'usage', message: expect.stringMatching(message) });
  });

  it('names what led to nothing', async () => {
    await put('texts/a.txt', 'x');
    await put('a.jpg');
    const found = await discoverPhotos(
      ['gone.jpg', 'texts', '*.bmp', 'texts/*', 'a.jpg', 'a.jpg/b.jpg', 'x\u001b[2J'],
      {
        cwd,
        recursive: false,
      },
    );
    expect(found.photos.map(({ url }) => url)).toEqual(['a.jpg']);
    expect(found.problems.map(({ code, message }) => [code, message])).toEqual([
      ['IMAGE_UNREADABLE', 'gone.jpg: found no such file; needed: an existing photo, folder or pattern'],
      [
        'NO_PHOTOS_FOUND',
        'texts: found a folder without photos; needed: JPEG, PNG or HEIC files (--recursive looks in the folders below as well)',
      ],
      [
        'NO_PHOTOS_FOUND',
        '*.bmp: found no such file, and none that matches; needed: a pattern that matches JPEG, PNG or HEIC files',
      ],
      [
        'NO_PHOTOS_FOUND',
        'texts/*: found 1 file that matches, not a photo; needed: a pattern that matches JPEG, PNG or HEIC files',
      ],
      ['IMAGE_UNREADABLE', 'a.jpg/b.jpg: found no such file; needed: an existing photo, folder or pattern'],
      ['IMAGE_UNREADABLE', 'x\\u{1b}[2J: found no such file; needed: an existing photo, folder or pattern'],
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('names a folder that may not be read', async () => {
    await put('shut/a.jpg');
    await chmod(join(cwd, 'shut'), 0);
    const found = await discoverPhotos(['shut'], { cwd, recursive: false });
    expect(found.problems).toMatchObject([{ url: 'shut', found: 'no permission to read it' }]);
  });
});

describe('gatherPhotos', () => {
  const options = () => ({ cwd, recursive: true });

  it('knows angle and type from the manifest, else from the name, and the vehicle', async () => {
    for (const name of ['rear.jpg', 'IMG_2.jpg', 'in/IMG_3.jpg']) await put(`car-7/${name}`);
    await put(
      'car-7/vehi.json',
      JSON.stringify({
        vehicle_id: 'WBA123',
        vehicle: {
          make: 'BMW',
          year: 2019,
          mileage_km: 81000,
          market_value: 15500,
          currency: 'EUR',
          class: 'premium',
        },
        photos: {
          'IMG_2.jpg': { angle: 'front_left', type: 'exterior' },
          './in/IMG_3.jpg': { type: 'interior' },
        },
      }),
    );
    const gathered = await gatherPhotos(['car-7'], options());
    expect(gathered.photos.map(({ source, ...rest }) => rest)).toEqual([
      { url: 'car-7/IMG_2.jpg', angle: 'front_left', angleSource: 'manifest', type: 'exterior' },
      { url: 'car-7/in/IMG_3.jpg', type: 'interior' },
      { url: 'car-7/rear.jpg', angle: 'rear', angleSource: 'file_name' },
    ]);
    expect(gathered.photos.map(({ source }) => source.name)).toEqual(gathered.photos.map(({ url }) => url));
    expect(gathered.vehicleId).toEqual({ value: 'WBA123', source: 'manifest' });
    expect(gathered.vehicle).toEqual({
      make: 'BMW',
      year: 2019,
      mileage_km: 81000,
      market_value: 15500,
      currency: 'EUR',
      class: 'premium',
    });
    expect(gathered.warnings).toEqual([]);
  });

  it('names the vehicle after the folder where no manifest does', async () => {
    await put('car-7/a.jpg');
    expect(await gatherPhotos(['car-7'], options())).toMatchObject({
      vehicleId: { value: 'car-7', source: 'folder' },
    });
    expect(await gatherPhotos(['car-7/a.jpg'], options())).toMatchObject({ vehicleId: { value: 'car-7' } });
  });

  it('takes no id from the name of a folder that is blank', async () => {
    await put(' /a.jpg');
    expect((await gatherPhotos([' '], options())).vehicleId).toBeUndefined();
  });

  it('points out entries that name no photo, of folders that were looked through', async () => {
    await put('car/front.jpg');
    await put('car/vehi.json', '{"photos":[{"file":"fromt.jpg","angle":"front"}]}');
    const { warnings } = await gatherPhotos(['car'], options());
    expect(warnings).toEqual([
      'car/vehi.json: photos names "fromt.jpg" (did you mean "front.jpg"?), which is not among the photos',
    ]);
    expect((await findPhotos([join(cwd, 'car')])).warnings).toEqual([`${cwd}/${warnings[0]}`]);
    expect((await gatherPhotos(['car/front.jpg'], options())).warnings).toEqual([]);
  });

  it('suggests for a missing photo none that has an entry of its own', async () => {
    await put('car/front_left.jpg');
    await put('car/vehi.json', '{"photos":{"rear_left.jpg":{},"front_left.jpg":{}}}');
    expect((await gatherPhotos(['car'], options())).warnings).toEqual([
      `car/vehi.json: photos names "rear_left.jpg", which is not among the photos`,
    ]);
  });

  it('takes facts from the manifest of any folder, field by field', async () => {
    await put(
      'one/vehi.json',
      '{"vehicle_id":"v1","vehicle":{"plate":"B-1","year":2019},"claim":{"insured":"A"}}',
    );
    await put(
      'two/vehi.json',
      '{"vehicle":{"make":"BMW","year":2019},"claim":{"insured":"A","loss_kind":"hail"}}',
    );
    for (const car of ['one', 'two']) await put(`${car}/a.jpg`, Buffer.concat([JPEG, Buffer.from(car)]));
    expect(await gatherPhotos(['one', 'two'], options())).toMatchObject({
      vehicleId: { value: 'v1' },
      vehicle: { make: 'BMW', plate: 'B-1', year: 2019 },
      claim: { insured: 'A', loss_kind: 'hail' },
    });
  });

  it('does not take the amount of one manifest in the currency of another', async () => {
    for (const [car, vehicle] of [
      ['one', { market_value: 9000 }] as const,
      ['two', { currency: 'EUR' }] as const,
    ]) {
      await put(`${car}/a.jpg`, Buffer.concat([JPEG, Buffer.from(car)]));
      await put(`${car}/vehi.json`, JSON.stringify({ vehicle }));
    }
    await expect(gatherPhotos(['one', 'two'], options())).rejects.toMatchObject({
      message:
        'one/vehi.json says vehicle.market_value {"amount":9000}, two/vehi.json says {"currency":"EUR"}.',
    });
  });

  it.each([
    ['vehicle_id', 'one', 'two'],
    ['vehicle.make', 'BMW', 'Fiat'],
    ['vehicle.odometer', { value: 100, unit: 'km' }, { value: 200, unit: 'km' }],
    ['claim.insured', 'A', 'B'],
  ])('refuses folders that differ in %s', async (field, one, two) => {
    const [block = '', name] = field.split('.');
    for (const [car, value] of Object.entries({ one, two })) {
      await put(`${car}/a.jpg`, Buffer.concat([JPEG, Buffer.from(car)]));
      await put(`${car}/vehi.json`, JSON.stringify({ [block]: name ? { [name]: value } : value }));
    }
    await expect(gatherPhotos(['one', 'two'], options())).rejects.toMatchObject({
      code: 'CONFLICTING_MANIFESTS',
      message: `one/vehi.json says ${field} ${JSON.stringify(one)}, two/vehi.json says ${JSON.stringify(two)}.`,
      field,
    });
  });
});
