// @module-tag slow: photos are encoded and decoded

import { execFileSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { describeFsError } from '../../../src/images/read/fs-error.ts';
import { loadPhotoRules } from '../../../src/images/read/photo-rules.ts';
import { makeDamagedError } from '../../../src/images/read/rejection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { drawn } from './pictures.ts';

const reader = createPhotoReader();
const folder = makeOwnFolder('images');
afterAll(() => reader.close());

async function rejectionOf(bytes: Uint8Array, name = 'photo') {
  const result = await reader.read({ kind: 'bytes', bytes, name });
  if (result.ok) throw new Error('accepted');
  return result.rejection;
}

describe('photos that are refused', { timeout: 30_000 }, () => {
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
    const read = await reader.read({ kind: 'bytes', bytes: padded, name: 'photo' });
    expect(read).toMatchObject({ ok: true, photo: { facts: { bytes: maxBytes } } });
    const tooLarge = await rejectionOf(Buffer.concat([padded, Buffer.alloc(1)]), 'big.jpg');
    expect(tooLarge).toMatchObject({ code: 'IMAGE_TOO_LARGE', found: '10.1 MB', needed: 'at most 10.0 MB' });
  });

  it.each([
    ['JPEG', () => drawn().jpeg().toBuffer(), 'a damaged JPEG file: about 32 % of its picture is missing'],
    ['PNG', () => drawn().png().toBuffer(), 'a damaged or cut-off PNG file'],
  ])('a %s that was cut off', async (_name, make, found) => {
    const whole = await make();
    const rejection = await rejectionOf(whole.subarray(0, whole.length * 0.6), 'cut');
    expect(rejection.code).toBe('IMAGE_UNREADABLE');
    expect(rejection.message).toContain(`cut: found ${found};`);
    expect(await rejectionOf(whole.subarray(0, -2))).toMatchObject({ code: 'IMAGE_UNREADABLE' });
  });

  it('says the same of every cut-off photo, however many are read at a time', async () => {
    const [jpeg, png] = await Promise.all([drawn().jpeg().toBuffer(), drawn().png().toBuffer()]);
    const cut = [jpeg, png].map((whole) => whole.subarray(0, whole.length * 0.6));
    const many = Array.from({ length: 10 }, () => cut).flat();
    const found = await Promise.all(many.map(async (bytes) => (await rejectionOf(bytes)).found));
    expect(new Set(found)).toEqual(
      new Set(['a damaged JPEG file: about 32 % of its picture is missing', 'a damaged or cut-off PNG file']),
    );
  });

  it('distinguishes a photo that takes too long from a damaged one', () => {
    const { rejection } = makeDamagedError(
      'x.png',
      'png',
      new Error('timeout: 32% complete\nvipspng: read error'),
    );
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

  it('a JPEG of more scans than any program writes, from its markers', async () => {
    const jpeg = await drawn().jpeg({ progressive: true }).toBuffer();
    const end = jpeg.subarray(-2);
    const last = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
    const bomb = Buffer.concat([jpeg.subarray(0, -2), ...Array.from({ length: 99 }, () => last), end]);
    expect(await rejectionOf(bomb)).toMatchObject({
      code: 'IMAGE_UNREADABLE',
      found: expect.stringMatching(/^a JPEG file with 1\d\d scans$/),
      needed: 'at most 100 scans',
    });
    // What follows the end, as the second picture of a phone does, is not counted.
    const bytes = Buffer.concat([jpeg, bomb]);
    expect(await reader.read({ kind: 'bytes', bytes, name: 'photo' })).toMatchObject({ ok: true });
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
      ['bad\0name.jpg', 'a path with a NUL character in it'],
    ] as const;
    for (const [path, found] of rows) {
      const result = await reader.read({ kind: 'file', path });
      expect(result).toMatchObject({ ok: false, rejection: { code: 'IMAGE_UNREADABLE', found } });
    }
  });

  it('a file by its path as given, which tells nothing of the folders above', async () => {
    const source = { kind: 'file', path: join(folder, 'gone.jpg'), name: 'car/gone.jpg' } as const;
    expect(await reader.read(source)).toMatchObject({
      rejection: { message: 'car/gone.jpg: found no such file; needed: a file that can be read' },
    });
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
