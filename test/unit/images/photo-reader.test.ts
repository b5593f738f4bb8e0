// @module-tag slow: large photos are decoded
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { RASTER_LONG_SIDE, type ReadPhoto } from '../../../src/domain/photo.ts';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { loadPhotoRules } from '../../../src/images/read/photo-rules.ts';
import { drawn, findFixture, HEIGHT, readPixel, WIDTH } from './pictures.ts';

const reader = createPhotoReader();
afterAll(() => reader.close());

async function photoOf(bytes: Uint8Array, name = 'photo'): Promise<ReadPhoto> {
  const result = await reader.read({ kind: 'bytes', bytes, name });
  if (!result.ok) throw new Error(result.rejection.message);
  return result.photo;
}

const RED = [224, 32, 32] as const;
function expectColor(found: readonly number[], wanted: readonly number[], tolerance = 12): void {
  for (const [channel, value] of found.entries()) {
    expect(Math.abs(value - (wanted[channel] ?? 0)), `${found} near ${wanted}`).toBeLessThanOrEqual(
      tolerance,
    );
  }
}

describe('photos that are read', { timeout: 30_000 }, () => {
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
    expectColor(readPixel(photo.raster, 20, 20), RED);
  });

  it('takes no fault of a caller for a damaged photo', async () => {
    const own = createPhotoReader({ ...loadPhotoRules(), decodeTimeoutSeconds: Number.NaN });
    const bytes = await drawn().jpeg().toBuffer();
    await expect(own.read({ kind: 'bytes', bytes, name: 'a.jpg' })).rejects.toThrow('received NaN');
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
    expectColor(readPixel(photo.raster, x < 0 ? width + x : x, y < 0 ? height + y : y), RED);
  });

  it('scales large photos down to one size, keeping the size of the original', async () => {
    const size = { width: 4032, height: 3024 };
    const photo = await photoOf(await drawn(size.width, size.height).jpeg().toBuffer());
    expect(photo.facts.size).toEqual(size);
    expect(photo.raster).toMatchObject({ width: RASTER_LONG_SIDE, height: (RASTER_LONG_SIDE * 3) / 4 });
    expectColor(readPixel(photo.raster, 40, 40), RED);
  });

  it.each([
    ['8-bit PNG', () => drawn().png(), RED],
    ['16-bit PNG', () => drawn().toColourspace('rgb16').png(), RED],
    ['palette PNG', () => drawn().png({ palette: true, colors: 64 }), RED],
    ['gray PNG', () => drawn().toColourspace('b-w').png(), [112, 112, 112]],
    ['CMYK JPEG', () => drawn().toColourspace('cmyk').jpeg({ quality: 95 }), [224, 28, 12]],
    ['progressive JPEG', () => drawn().jpeg({ progressive: true }), RED],
    ['wide-gamut JPEG', () => drawn().withIccProfile('p3').jpeg(), RED],
  ])('brings %s to 8-bit sRGB', async (_name, make, color) => {
    const photo = await photoOf(await make().toBuffer());
    expect(photo.raster.data.length).toBe(WIDTH * HEIGHT * 3);
    expectColor(readPixel(photo.raster, 20, 20), color, 20);
  });

  it('lays transparency on white', async () => {
    const clear = sharp({
      create: { width: 1280, height: 720, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } },
    });
    expectColor(readPixel((await photoOf(await clear.png().toBuffer())).raster, 5, 5), [255, 255, 255], 0);
  });

  it('reads HEIC, whose EXIF orientation does not count', async () => {
    const result = await reader.read({ kind: 'file', path: findFixture('landscape.heic') });
    if (!result.ok) throw new Error(result.rejection.message);
    expect(result.photo.facts).toMatchObject({ format: 'heic', size: { width: 1296, height: 736 } });
    expectColor(readPixel(result.photo.raster, 20, 20), RED, 25);
  }, 30_000);

  it('brings HEIC in Display P3 to sRGB', async () => {
    const result = await reader.read({ kind: 'file', path: findFixture('display_p3.heic') });
    if (!result.ok) throw new Error(result.rejection.message);
    // stored as about 194, 72, 51
    expectColor(readPixel(result.photo.raster, 600, 300), [210, 60, 40], 4);
  }, 30_000);

  it('applies the rotation of HEIC once', async () => {
    const result = await reader.read({ kind: 'file', path: findFixture('turned.heic') });
    if (!result.ok) throw new Error(result.rejection.message);
    expect(result.photo.facts.size).toEqual({ width: 736, height: 1296 });
    expectColor(readPixel(result.photo.raster, 20, 1276), RED, 25);
  }, 30_000);

  it('accepts the smallest photo either way up', async () => {
    for (const size of [
      { width: 1280, height: 720 },
      { width: 720, height: 1280 },
    ])
      expect((await photoOf(await drawn(size.width, size.height).jpeg().toBuffer())).facts.size).toEqual(
        size,
      );
  });

  it('judges by content and says that the name lies', async () => {
    const photo = await photoOf(await drawn().png().toBuffer(), 'IMG_1.JPG');
    expect(photo.facts.format).toBe('png');
    const issue = photo.issues.find(({ code }) => code === 'wrong_extension');
    expect(issue?.message).toContain('.jpg');
    expect(issue?.message).toContain('PNG');
  });

  it.each(['IMG.jpeg', 'IMG.JPG', 'IMG', 'scan.2024', 'https://host/photo?id=1.5&x'])(
    'takes no offence at %s',
    async (name) => {
      const photo = await photoOf(await drawn().jpeg().toBuffer(), name);
      expect(photo.issues.map(({ code }) => code)).not.toContain('wrong_extension');
    },
  );
});

describe('HEIC decoder', () => {
  it('refuses damaged data, then reads the next photo', async () => {
    const own = createPhotoReader();
    const good = await readFile(findFixture('landscape.heic'));
    const cut = await own.read({ kind: 'bytes', bytes: good.subarray(0, 1500), name: 'cut.heic' });
    expect(cut).toMatchObject({ ok: false, rejection: { code: 'IMAGE_UNREADABLE' } });
    expect(await own.read({ kind: 'bytes', bytes: good, name: 'good.heic' })).toMatchObject({ ok: true });
    await own.close();
  }, 30_000);

  it('gives up on a picture that takes too long, and recovers', async () => {
    const hurried = createPhotoReader({ ...loadPhotoRules(), decodeTimeoutSeconds: 0.001 });
    const result = await hurried.read({ kind: 'file', path: findFixture('landscape.heic') });
    expect(result).toMatchObject({ ok: false, rejection: { code: 'IMAGE_UNREADABLE' } });
    await hurried.close();
  }, 30_000);

  it('does not keep the process alive once it has answered', async () => {
    const ports = () => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length;
    const own = createPhotoReader();
    const before = ports();
    expect(await own.read({ kind: 'file', path: findFixture('landscape.heic') })).toMatchObject({ ok: true });
    expect(ports()).toBe(before);
    const cut = (await readFile(findFixture('landscape.heic'))).subarray(0, 1500);
    expect(await own.read({ kind: 'bytes', bytes: cut, name: 'cut.heic' })).toMatchObject({ ok: false });
    expect(ports()).toBe(before);
    await own.close();
  }, 30_000);

  it('leaves open reads answered when it is closed', async () => {
    const own = createPhotoReader();
    const pending = own.read({ kind: 'file', path: findFixture('landscape.heic') });
    await own.close();
    await expect(pending).resolves.toHaveProperty('ok');
    await own.close();
  }, 30_000);
});
