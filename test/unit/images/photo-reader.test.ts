import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RASTER_LONG_SIDE, type ReadPhoto } from '../../../src/domain/photo.ts';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { damaged } from '../../../src/images/read/checked-photo.ts';
import { loadPhotoRules } from '../../../src/images/read/photo-rules.ts';
import { describeFsError } from '../../../src/images/read/source-bytes.ts';
import { crc32, drawn, emptyFolder, fixture, HEIGHT, pixel, WIDTH } from './pictures.ts';

const reader = createPhotoReader();
let folder = '';
beforeAll(async () => {
  folder = await emptyFolder();
});
afterAll(() => reader.close());

async function photoOf(bytes: Uint8Array, name = 'photo'): Promise<ReadPhoto> {
  const result = await reader.read({ kind: 'bytes', bytes, name });
  if (!result.ok) throw new Error(result.rejection.message);
  return result.photo;
}

async function rejectionOf(bytes: Uint8Array, name = 'photo') {
  const result = await reader.read({ kind: 'bytes', bytes, name });
  if (result.ok) throw new Error('accepted');
  return result.rejection;
}

const RED = [224, 32, 32] as const;
function expectColour(found: readonly number[], wanted: readonly number[], tolerance = 12): void {
  for (const [channel, value] of found.entries()) {
    expect(Math.abs(value - (wanted[channel] ?? 0)), `${found} near ${wanted}`).toBeLessThanOrEqual(
      tolerance,
    );
  }
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
    expect(photo.raster.data.length).toBe(WIDTH * HEIGHT * 3);
    expectColour(pixel(photo.raster, 20, 20), RED);
  });

  it.each([
    [1, 'top left', 20, 20],
    [2, 'top right', -20, 20],
    [3, 'bottom right', -20, -20],
    [4, 'bottom left', 20, -20],
    [5, 'top left', 20, 20],
    [6, 'top right', -20, 20],
    [7, 'bottom right', -20, -20],
    [8, 'bottom left', 20, -20],
  ])('applies EXIF orientation %i: the red corner is %s', async (orientation, _corner, x, y) => {
    const photo = await photoOf(await drawn().withMetadata({ orientation }).jpeg().toBuffer());
    const { width, height } = photo.raster;
    expect(photo.facts.size).toEqual(
      orientation > 4 ? { width: HEIGHT, height: WIDTH } : { width: WIDTH, height: HEIGHT },
    );
    expect({ width, height }).toEqual(photo.facts.size);
    expectColour(pixel(photo.raster, x < 0 ? width + x : x, y < 0 ? height + y : y), RED);
  });

  it.each([
    ['to the raster', 2400, 1800, RASTER_LONG_SIDE],
    ['to a third where that is enough', 4000, 3000, 1328],
    ['to no less than the smallest photo', 3840, 2160, RASTER_LONG_SIDE],
    ['to no more than the raster', 5600, 4200, RASTER_LONG_SIDE],
  ])('scales large photos down %s, keeping the size of the original', async (_, width, height, longSide) => {
    const photo = await photoOf(await drawn(width, height).jpeg().toBuffer());
    expect(photo.facts.size).toEqual({ width, height });
    expect(photo.raster).toMatchObject({ width: longSide, height: Math.round((longSide * height) / width) });
    expectColour(pixel(photo.raster, 40, 40), RED);
  });

  it.each([
    ['8-bit PNG', () => drawn().png(), RED],
    ['16-bit PNG', () => drawn().toColourspace('rgb16').png(), RED],
    ['palette PNG', () => drawn().png({ palette: true, colours: 64 }), RED],
    ['grey PNG', () => drawn().toColourspace('b-w').png(), [112, 112, 112]],
    ['CMYK JPEG', () => drawn().toColourspace('cmyk').jpeg({ quality: 95 }), [224, 28, 12]],
    ['progressive JPEG', () => drawn().jpeg({ progressive: true }), RED],
    ['wide-gamut JPEG', () => drawn().withIccProfile('p3').jpeg(), RED],
  ])('brings %s to 8-bit sRGB', async (_name, make, colour) => {
    const photo = await photoOf(await make().toBuffer());
    expect(photo.raster.data.length).toBe(WIDTH * HEIGHT * 3);
    expectColour(pixel(photo.raster, 20, 20), colour, 20);
  });

  it('lays transparency on white', async () => {
    const clear = sharp({
      create: { width: 1280, height: 720, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } },
    });
    expectColour(pixel((await photoOf(await clear.png().toBuffer())).raster, 5, 5), [255, 255, 255], 0);
  });

  it('reads HEIC, whose EXIF orientation does not count', async () => {
    const result = await reader.read({ kind: 'file', path: fixture('landscape.heic') });
    if (!result.ok) throw new Error(result.rejection.message);
    expect(result.photo.facts).toMatchObject({ format: 'heic', size: { width: 1296, height: 736 } });
    expectColour(pixel(result.photo.raster, 20, 20), RED, 25);
  }, 30_000);

  it('brings HEIC in Display P3 to sRGB', async () => {
    const result = await reader.read({ kind: 'file', path: fixture('display_p3.heic') });
    if (!result.ok) throw new Error(result.rejection.message);
    // stored as about 194, 72, 51
    expectColour(pixel(result.photo.raster, 600, 300), [210, 60, 40], 4);
  }, 30_000);

  it('applies the rotation of HEIC once', async () => {
    const result = await reader.read({ kind: 'file', path: fixture('turned.heic') });
    if (!result.ok) throw new Error(result.rejection.message);
    expect(result.photo.facts.size).toEqual({ width: 736, height: 1296 });
    expectColour(pixel(result.photo.raster, 20, 1276), RED, 25);
  }, 30_000);

  it('accepts the smallest photo either way up', async () => {
    await photoOf(await drawn(1280, 720).jpeg().toBuffer());
    await photoOf(await drawn(720, 1280).jpeg().toBuffer());
  });

  it('judges by content and says that the name lies', async () => {
    const photo = await photoOf(await drawn().png().toBuffer(), 'IMG_1.JPG');
    expect(photo.facts.format).toBe('png');
    const issue = photo.issues.find(({ code }) => code === 'wrong_extension');
    expect(issue?.message).toContain('.jpg');
    expect(issue?.message).toContain('PNG');
  });

  it.each(['IMG.jpeg', 'IMG.JPG', 'IMG', 'https://host/photo?id=1.5&x'])(
    'takes no offence at %s',
    async (name) => {
      const photo = await photoOf(await drawn().jpeg().toBuffer(), name);
      expect(photo.issues.map(({ code }) => code)).not.toContain('wrong_extension');
    },
  );
});

describe('photos that are refused', () => {
  it.each([
    [1279, 720],
    [1280, 719],
    [719, 1280],
    [640, 480],
  ])('%ix%i is too small', async (width, height) => {
    const rejection = await rejectionOf(await drawn(width, height).jpeg().toBuffer(), 'front.jpg');
    expect(rejection).toMatchObject({
      code: 'IMAGE_QUALITY_TOO_LOW',
      found: `${width}x${height}`,
      needed: '1280x720',
    });
    expect(rejection.message).toBe(`front.jpg: found ${width}x${height}; needed: 1280x720`);
  });

  it.each([
    ['WebP', () => drawn().webp().toBuffer(), 'WebP'],
    ['AVIF', () => drawn(1280, 720).avif({ effort: 0 }).toBuffer(), 'AVIF'],
    ['GIF', () => drawn().gif().toBuffer(), 'GIF'],
    ['TIFF', () => drawn().tiff().toBuffer(), 'TIFF'],
    ['SVG', async () => Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), 'SVG'],
    ['PDF', async () => Buffer.from('%PDF-1.7\n'), 'PDF'],
    ['HTML', async () => Buffer.from('<!DOCTYPE html><html>404</html>'), 'web page'],
    ['ZIP', async () => Buffer.from('PK\x03\x04rest'), 'ZIP'],
    ['MP4', async () => Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), 'video'],
    ['text', async () => Buffer.from('hello'), 'not an image'],
  ])('%s, by its name', async (_name, make, word) => {
    const rejection = await rejectionOf(await make(), 'x.jpg');
    expect(rejection.code).toBe('UNSUPPORTED_IMAGE_FORMAT');
    expect(rejection.found).toContain(word);
    expect(rejection.needed).toBe('JPEG, PNG or HEIC');
  });

  it('nothing at all, and too much', async () => {
    expect((await rejectionOf(new Uint8Array(0))).code).toBe('IMAGE_UNREADABLE');
    const { maxBytes } = loadPhotoRules();
    expect(maxBytes).toBe(10 * 1024 * 1024);
    const jpeg = await drawn().jpeg().toBuffer();
    const padded = Buffer.concat([jpeg, Buffer.alloc(maxBytes - jpeg.length)]);
    expect((await photoOf(padded)).facts.bytes).toBe(maxBytes);
    const tooLarge = await rejectionOf(Buffer.concat([padded, Buffer.alloc(1)]), 'big.jpg');
    expect(tooLarge).toMatchObject({ code: 'IMAGE_TOO_LARGE', found: '10.1 MB', needed: 'at most 10.0 MB' });
  });

  it.each([
    ['JPEG', () => drawn().jpeg().toBuffer()],
    ['PNG', () => drawn().png().toBuffer()],
  ])('a %s that was cut off', async (_name, make) => {
    const whole = await make();
    const rejection = await rejectionOf(whole.subarray(0, whole.length * 0.6), 'cut');
    expect(rejection.code).toBe('IMAGE_UNREADABLE');
    expect(rejection.message).toContain('cut: found a damaged or cut-off');
  });

  it('says the same of every cut-off photo, however many are read at a time', async () => {
    const [jpeg, png] = await Promise.all([drawn().jpeg().toBuffer(), drawn().png().toBuffer()]);
    const cut = [jpeg, png].map((whole) => whole.subarray(0, whole.length * 0.6));
    const many = Array.from({ length: 10 }, () => cut).flat();
    const found = await Promise.all(many.map(async (bytes) => (await rejectionOf(bytes)).found));
    expect(new Set(found)).toEqual(
      new Set(['a damaged or cut-off JPEG file', 'a damaged or cut-off PNG file']),
    );
  });

  it('distinguishes a photo that takes too long from a damaged one', () => {
    const { rejection } = damaged('x.png', 'png', new Error('timeout: 32% complete\nvipspng: read error'));
    expect(rejection).toMatchObject({
      code: 'IMAGE_UNREADABLE',
      found: 'a PNG file that takes too long to decode',
    });
  });

  it('a PNG that claims more pixels than memory, before decoding it', async () => {
    const bomb = await drawn().png().toBuffer();
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    const rejection = await rejectionOf(bomb);
    expect(rejection).toMatchObject({ code: 'IMAGE_TOO_LARGE', found: '60000x60000 pixels' });
  });

  it('a JPEG that claims more pixels than allowed', async () => {
    const bomb = await drawn().jpeg().toBuffer();
    const frame = bomb.indexOf(Buffer.from([0xff, 0xc0]));
    bomb.writeUInt16BE(65_000, frame + 5);
    bomb.writeUInt16BE(65_000, frame + 7);
    expect(await rejectionOf(bomb)).toMatchObject({ code: 'IMAGE_TOO_LARGE', found: '65000x65000 pixels' });
  });

  it('paths that are no photo file, without waiting on any', async () => {
    const pipe = join(folder, 'pipe.jpg');
    execFileSync('mkfifo', [pipe]);
    const circle = join(folder, 'circle.jpg');
    await symlink(circle, circle);
    const rows = [
      [folder, 'a folder'],
      [pipe, 'a named pipe'],
      [circle, 'a symbolic link that leads in a circle'],
      [join(folder, 'gone.jpg'), 'no such file'],
      ['/dev/zero', 'a device'],
      ['bad\0name.jpg', 'a path with a zero character in it'],
    ] as const;
    for (const [path, found] of rows) {
      const result = await reader.read({ kind: 'file', path });
      expect(result).toMatchObject({ ok: false, rejection: { code: 'IMAGE_UNREADABLE', found } });
    }
  });

  it('names without control characters in messages', async () => {
    const path = join(folder, 'a\u001b[31m\n.jpg');
    await writeFile(path, 'x');
    const result = await reader.read({ kind: 'file', path });
    if (result.ok) throw new Error('accepted');
    expect(result.rejection.message).toContain('a\\u{1b}[31m\\u{a}.jpg');
  });

  it('words for what file systems say', () => {
    expect(describeFsError(Object.assign(new Error(), { code: 'EACCES' }))).toBe('no permission to read it');
    expect(describeFsError(Object.assign(new Error(), { code: 'EIO' }))).toBe('a read error (EIO)');
  });
});

describe('HEIC decoder', () => {
  it('refuses damaged data, then reads the next photo', async () => {
    const own = createPhotoReader();
    const good = await readFile(fixture('landscape.heic'));
    const cut = await own.read({ kind: 'bytes', bytes: good.subarray(0, 1500), name: 'cut.heic' });
    expect(cut).toMatchObject({ ok: false, rejection: { code: 'IMAGE_UNREADABLE' } });
    expect(await own.read({ kind: 'bytes', bytes: good, name: 'good.heic' })).toMatchObject({ ok: true });
    await own.close();
  }, 30_000);

  it('gives up on a picture that takes too long, and recovers', async () => {
    const hurried = createPhotoReader({ ...loadPhotoRules(), decodeTimeoutSeconds: 0.001 });
    const result = await hurried.read({ kind: 'file', path: fixture('landscape.heic') });
    expect(result).toMatchObject({ ok: false, rejection: { code: 'IMAGE_UNREADABLE' } });
    await hurried.close();
  }, 30_000);

  it('does not keep the process alive once it has answered', async () => {
    const ports = () => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length;
    const own = createPhotoReader();
    const before = ports();
    expect(await own.read({ kind: 'file', path: fixture('landscape.heic') })).toMatchObject({ ok: true });
    expect(ports()).toBe(before);
    const cut = (await readFile(fixture('landscape.heic'))).subarray(0, 1500);
    expect(await own.read({ kind: 'bytes', bytes: cut, name: 'cut.heic' })).toMatchObject({ ok: false });
    expect(ports()).toBe(before);
    await own.close();
  }, 30_000);

  it('leaves open reads answered when it is closed', async () => {
    const own = createPhotoReader();
    const pending = own.read({ kind: 'file', path: fixture('landscape.heic') });
    await own.close();
    await expect(pending).resolves.toHaveProperty('ok');
    await own.close();
  }, 30_000);
});
