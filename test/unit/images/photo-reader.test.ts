// @module-tag slow: large photos are encoded and decoded
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Size } from '../../../src/domain/geometry.ts';
import { RASTER_LONG_SIDE, type ReadPhoto } from '../../../src/domain/photo.ts';
import { checkExtension } from '../../../src/images/find/extension.ts';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { describeFsError } from '../../../src/images/read/fs-error.ts';
import { tryHeic } from '../../../src/images/read/heic-decoder.ts';
import { toSrgb } from '../../../src/images/read/heic-photo.ts';
import { loadPhotoRules } from '../../../src/images/read/photo-rules.ts';
import { makeDamagedError } from '../../../src/images/read/rejection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { drawn, findFixture, HEIGHT, readPixel, WIDTH } from './pictures.ts';

const reader = createPhotoReader();
afterAll(() => reader.close());

const read = (bytes: Uint8Array, name = 'photo') => reader.read({ kind: 'bytes', bytes, name });

async function photoOf(bytes: Uint8Array, name?: string): Promise<ReadPhoto> {
  const result = await read(bytes, name);
  if (!result.ok) throw new Error(result.rejection.message);
  return result.photo;
}

const RED = [224, 32, 32] as const;
/** Checks the color of a pixel; a negative position counts from the right or the lower edge. */
function expectColor(
  { raster }: ReadPhoto,
  [x, y]: readonly [number, number],
  wanted: readonly number[],
  tolerance: number,
): void {
  const found = readPixel(raster, x < 0 ? raster.width + x : x, y < 0 ? raster.height + y : y);
  const isNear = found.every((value, channel) => Math.abs(value - (wanted[channel] ?? 0)) <= tolerance);
  expect([found, isNear]).toEqual([found, true]);
}

describe('photos that are read', () => {
  it('gives facts and upright pixels of a JPEG', async () => {
    const bytes = await drawn().jpeg().toBuffer();
    const photo = await photoOf(bytes, 'a.jpg');
    expect(photo.facts).toEqual({
      format: 'jpeg',
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size: { width: WIDTH, height: HEIGHT },
    });
    expect(photo.raster).toMatchObject({ width: WIDTH, height: HEIGHT });
    expectColor(photo, [20, 20], RED, 12);
  });

  it.each<[number, string, [number, number]]>([
    [3, 'bottom right', [-20, -20]],
    [5, 'top left', [20, 20]],
    [6, 'top right', [-20, 20]],
  ])('applies EXIF orientation %i: the red corner is %s', async (orientation, _corner, at) => {
    const photo = await photoOf(await drawn().withMetadata({ orientation }).jpeg().toBuffer());
    const size = orientation > 4 ? { width: HEIGHT, height: WIDTH } : { width: WIDTH, height: HEIGHT };
    expect([photo.facts.size, photo.raster]).toMatchObject([size, size]);
    expectColor(photo, at, RED, 12);
  });

  it('scales large photos down to one size, keeping the size of the original', async () => {
    const size = { width: 4032, height: 3024 };
    const photo = await photoOf(await drawn(size.width, size.height).jpeg().toBuffer());
    expect(photo.facts.size).toEqual(size);
    expect(photo.raster).toMatchObject({ width: RASTER_LONG_SIDE, height: (RASTER_LONG_SIDE * 3) / 4 });
    expectColor(photo, [40, 40], RED, 12);
  });

  it.each<[string, () => Sharp, readonly number[]]>([
    ['16-bit PNG', () => drawn().toColourspace('rgb16').png(), RED],
    ['gray PNG', () => drawn().toColourspace('b-w').png(), [112, 112, 112]],
    ['PNG, transparency on white,', () => drawn().ensureAlpha(0).png(), [255, 255, 255]],
    ['CMYK JPEG', () => drawn().toColourspace('cmyk').jpeg({ quality: 95 }), [224, 28, 12]],
    ['wide-gamut JPEG', () => drawn().withIccProfile('p3').jpeg(), RED],
  ])('brings %s to 8-bit sRGB', async (_name, make, color) => {
    const photo = await photoOf(await make().toBuffer());
    expect(photo.raster.data.length).toBe(WIDTH * HEIGHT * 3);
    expectColor(photo, [20, 20], color, 20);
  });

  it.each<[string, Size, [number, number], readonly number[], number]>([
    // Its EXIF orientation does not count.
    ['landscape.heic', { width: 1296, height: 736 }, [20, 20], RED, 25],
    // Stored as about 194, 72, 51.
    ['display_p3.heic', { width: 1280, height: 720 }, [600, 300], [210, 60, 40], 4],
    // Its own rotation counts once.
    ['turned.heic', { width: 736, height: 1296 }, [20, 1276], RED, 25],
  ])('reads %s upright, in sRGB', async (name, size, at, color, tolerance) => {
    const photo = await photoOf(readFileSync(findFixture(name)));
    expect(photo.facts).toMatchObject({ format: 'heic', size });
    expectColor(photo, at, color, tolerance);
  });

  it('judges by content and says that the name lies', async () => {
    const { facts, issues } = await photoOf(await drawn().png().toBuffer(), 'IMG_1.JPG');
    expect(facts.format).toBe('png');
    const message = 'the name ends in .jpg but the content is PNG; read by its content';
    expect(issues).toContainEqual({ code: 'wrong_extension', value: 1, limit: 0, message });
    for (const name of ['IMG.jpeg', 'IMG', 'scan.2024', 'https://host/photo?id=1.5&x'])
      expect([name, checkExtension(name, 'jpeg')]).toEqual([name, []]);
  });
});

describe('photos that are refused', async () => {
  it.each([
    [1280, 720, true],
    [720, 1280, true],
    [1279, 720, false],
    [719, 1280, false],
  ])('%ix%i is large enough: %s', async (width, height, ok) => {
    const result = await read(await drawn(width, height).jpeg().toBuffer(), 'front.jpg');
    const found = `${width}x${height}`;
    const message = `front.jpg: found ${found}; needed: 1280x720`;
    const rejection = { code: 'IMAGE_QUALITY_TOO_LOW', found, needed: '1280x720', message };
    expect(result).toMatchObject(ok ? { photo: { facts: { size: { width, height } } } } : { rejection });
  });

  const hugePng = await drawn().png().toBuffer();
  for (const at of [16, 20]) hugePng.writeUInt32BE(60_000, at);
  hugePng.writeUInt32BE(crc32(hugePng.subarray(12, 29)), 29);
  const hugeJpeg = await drawn().jpeg().toBuffer();
  hugeJpeg.writeUInt32BE(0xfde8_fde8, hugeJpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5);
  it.each([
    ['nothing', Buffer.alloc(0), 'IMAGE_UNREADABLE', 'an empty file (0 bytes)'],
    [
      'text',
      Buffer.from('hello'),
      'UNSUPPORTED_IMAGE_FORMAT',
      'a file that is not an image; needed: JPEG, PNG',
    ],
    ['a PNG that claims more pixels than memory', hugePng, 'IMAGE_TOO_LARGE', '60000x60000 pixels'],
    ['a JPEG that claims more pixels than allowed', hugeJpeg, 'IMAGE_TOO_LARGE', '65000x65000 pixels'],
  ])('%s', async (_name, bytes, code, words) => {
    const rejection = { code, message: expect.stringContaining(`x.jpg: found ${words}`) };
    expect(await read(bytes, 'x.jpg')).toMatchObject({ ok: false, rejection });
  });

  it('more bytes than allowed', async () => {
    const { maxBytes } = loadPhotoRules();
    expect(maxBytes).toBe(10 * 1024 * 1024);
    const jpeg = await drawn().jpeg().toBuffer();
    const padded = Buffer.concat([jpeg, Buffer.alloc(maxBytes + 1 - jpeg.length)]);
    expect((await photoOf(padded.subarray(0, -1))).facts.bytes).toBe(maxBytes);
    const rejection = { code: 'IMAGE_TOO_LARGE', found: '10.1 MB', needed: 'at most 10.0 MB' };
    expect(await read(padded)).toMatchObject({ rejection });
  });

  it('a JPEG of more scans than any program writes, from its markers', async () => {
    const jpeg = await drawn().jpeg({ progressive: true }).toBuffer();
    const last = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
    const bomb = Buffer.concat([jpeg.subarray(0, -2), ...Array(99).fill(last), jpeg.subarray(-2)]);
    const found = expect.stringMatching(/^a JPEG file with 1\d\d scans$/);
    const rejection = { code: 'IMAGE_UNREADABLE', found, needed: 'at most 100 scans' };
    expect(await read(bomb)).toMatchObject({ rejection });
    // What follows the end, as the second picture of a phone does, is not counted.
    expect(await read(Buffer.concat([jpeg, bomb]))).toMatchObject({ ok: true });
  });

  it('every cut-off photo with the same words, however many are read at a time', async () => {
    const cut = async (whole: Sharp) => {
      const bytes = await whole.toBuffer();
      return bytes.subarray(0, bytes.length * 0.6);
    };
    const [jpeg, png] = [await cut(drawn().jpeg()), await cut(drawn().png())];
    const results = await Promise.all([jpeg, png, jpeg, png, jpeg, png].map((bytes) => read(bytes)));
    const found = (words: string) => ({ rejection: { code: 'IMAGE_UNREADABLE', found: words } });
    const ofJpeg = found('a damaged JPEG file: about 32 % of its picture is missing');
    const ofPng = found('a damaged or cut-off PNG file');
    expect(results).toMatchObject([ofJpeg, ofPng, ofJpeg, ofPng, ofJpeg, ofPng]);
  });

  it('distinguishes one that takes too long from a damaged one, and a fault of the caller from both', async () => {
    const error = new Error('timeout: 32% complete\nvipspng: read error');
    const found = 'a PNG file that takes too long to decode';
    expect(makeDamagedError('x.png', 'png', error)).toMatchObject({ rejection: { found } });
    const own = createPhotoReader({ ...loadPhotoRules(), decodeTimeoutSeconds: Number.NaN });
    const bytes = await drawn().jpeg().toBuffer();
    await expect(own.read({ kind: 'bytes', bytes, name: 'a.jpg' })).rejects.toThrow('received NaN');
  });
});

describe('paths', () => {
  const folder = makeOwnFolder('images');
  const [pipe, circle] = [join(folder, 'pipe.jpg'), join(folder, 'circle.jpg')];

  it('that are no photo file, without waiting on any', async () => {
    execFileSync('mkfifo', [pipe]);
    await symlink(circle, circle);
    for (const [path, found] of [
      [folder, 'a folder'],
      [pipe, 'a named pipe'],
      [circle, 'a symbolic link that leads in a circle'],
      [join(folder, 'gone.jpg'), 'no such file'],
      ['/dev/zero', 'a device'],
      ['bad\0name.jpg', 'a path with a NUL character in it'],
    ] as const)
      expect(await reader.read({ kind: 'file', path })).toMatchObject({
        rejection: { code: 'IMAGE_UNREADABLE', found },
      });
  });

  it('are named as they were given, without control characters', async () => {
    const message = 'a\\u{1b}[31m\\u{a}.jpg: found no such file; needed: a file that can be read';
    const gone = { kind: 'file', path: join(folder, 'gone.jpg'), name: 'a\u001b[31m\n.jpg' } as const;
    expect(await reader.read(gone)).toMatchObject({ rejection: { message } });
  });

  it('that cannot be read, with words for what the file system says', () => {
    const describe = (code: string) => describeFsError(Object.assign(new Error(), { code }));
    expect([describe('EACCES'), describe('EIO')]).toEqual(['no permission to read it', 'a read error (EIO)']);
  });
});

describe('HEIC decoder', () => {
  const whole = { kind: 'file', path: findFixture('landscape.heic') } as const;

  it('refuses damaged data, then reads on, never keeps the process alive, and answers when closed', async () => {
    const ports = () => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length;
    const own = createPhotoReader();
    const before = ports();
    const cut = { kind: 'bytes', bytes: readFileSync(whole.path).subarray(0, 1500), name: 'cut' } as const;
    for (const [photo, result] of [
      [whole, { ok: true }],
      [cut, { ok: false, rejection: { code: 'IMAGE_UNREADABLE' } }],
      [whole, { ok: true }],
    ] as const) {
      expect(await own.read(photo)).toMatchObject(result);
      expect(ports()).toBe(before);
    }
    const open = own.read(whole);
    await own.close();
    await expect(open).resolves.toHaveProperty('ok');
    await own.close();
  });

  it('gives up on a picture that takes too long', async () => {
    const hurried = createPhotoReader({ ...loadPhotoRules(), decodeTimeoutSeconds: 0.001 });
    expect(await hurried.read(whole)).toMatchObject({ rejection: { code: 'IMAGE_UNREADABLE' } });
    await hurried.close();
  });

  it.each([
    ['that cannot start', 'data that stops libheif (Error: Cannot find module)'],
    ['whose WASM does not load', 'data that libheif refuses (Error: not a module)'],
  ])('%s does not count as one that works, as the own one does', async (_, reason) => {
    const decode = async () => ({ ok: false as const, reason });
    await expect(tryHeic({ decode, close: async () => undefined })).rejects.toThrowError(reason);
    expect(await tryHeic()).toBeUndefined();
  });

  it('leaves pixels with an invalid profile as they are', async () => {
    const dot = { rgba: Uint8Array.of(194, 72, 51, 255), width: 1, height: 1 };
    expect([...(await toSrgb(dot, Uint8Array.of(1, 2, 3))).rgba]).toEqual([...dot.rgba]);
  });
});
