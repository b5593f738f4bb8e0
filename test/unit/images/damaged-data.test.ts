// @module-tag slow: photos are encoded and decoded
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { isTruncated } from '../../../src/images/read/checked-photo.ts';
import { correctJpegHeader } from '../../../src/images/read/jpeg.ts';
import { dropPngTexts } from '../../../src/images/read/png.ts';
import { FIXTURES } from '../../helpers/cli/run-cli.ts';
import { box, makeGridHeic } from './grid-heic.ts';
import { findFixture, makeChunk } from './pictures.ts';

const reader = createPhotoReader();
afterAll(() => reader.close());

const demo = (name: string) => readFileSync(join(FIXTURES, 'vehicle', name));
const FRONT = demo('front.jpg');
const HEIC = demo('rear_right_closeup.heic');
const TILE = readFileSync(findFixture('display_p3.heic'));
const PNG = await sharp(FRONT).resize(1280).png({ compressionLevel: 1 }).toBuffer();
const PROGRESSIVE = await sharp(FRONT).resize(1280).jpeg({ progressive: true, quality: 90 }).toBuffer();

/** What the reader says of a photo: `taken`, or what it found instead. */
async function judge(bytes: Uint8Array): Promise<string> {
  const result = await reader.read({ kind: 'bytes', bytes, name: 'photo' });
  return result.ok ? 'taken' : result.rejection.found;
}

/** Position of the first scan of a JPEG. */
function findScan(file: Buffer): number {
  let at = 2;
  while (file[at + 1] !== 0xda) at += 2 + file.readUInt16BE(at + 2);
  return at;
}

/** End marker of a JPEG. */
const END = Buffer.from([0xff, 0xd9]);
/** Changes a file behind a position, that of its picture data. */
type Fault = (file: Buffer, from: number) => Buffer;
/** Drops bytes at a share of the data, and puts others there. */
const splice =
  (share: number, dropped: number, put = Buffer.alloc(0)): Fault =>
  (file, from) => {
    const at = from + Math.floor((file.length - from) * share);
    return Buffer.concat([file.subarray(0, at), put, file.subarray(at + dropped)]);
  };
const zero = (share: number, length: number) => splice(share, length, Buffer.alloc(length));
const endAt = (share: number) => splice(share, Number.POSITIVE_INFINITY, END);
const cutAt = (share: number) => splice(share, Number.POSITIVE_INFINITY);

describe.each<[string, Buffer]>([
  ['baseline', FRONT],
  ['progressive', PROGRESSIVE],
  ['with restart markers', readFileSync(findFixture('restart-markers.jpg'))],
])('a JPEG of kind %s', (_kind, whole) => {
  it('is taken as it is', async () => expect(await judge(whole)).toBe('taken'));

  it.each<[string, Fault]>([
    ['the scan ends at a third', endAt(0.3)],
    ['the scan ends near its end', endAt(0.9)],
    ['zeros', zero(0.4, 4096)],
    ['bytes lost', splice(0.4, 4096)],
    ['another photo follows in the middle', splice(0.5, Number.POSITIVE_INFINITY, FRONT)],
    ['an end marker in the middle', splice(0.4, 0, END)],
    ['fill bytes', splice(0.4, 4096, Buffer.alloc(4096, 0xff))],
  ])('is refused as damaged: %s', async (_name, fault) => {
    expect(await judge(fault(whole, findScan(whole)))).toMatch(/^a damaged( or cut-off)? JPEG file/);
  });
});

// Data lost in the middle of a CMYK scan shifts the picture without a warning of libjpeg: its components share tables.
it('a CMYK JPEG is taken as it is, and refused as damaged where its scan ends early', async () => {
  const whole = await sharp(FRONT).resize(1280).toColourspace('cmyk').jpeg({ quality: 90 }).toBuffer();
  expect(await judge(whole)).toBe('taken');
  expect(await judge(endAt(0.6)(whole, findScan(whole)))).toMatch(/^a damaged JPEG file/);
});

it.each<[string, Fault, number, number]>([
  ['ends early with an end marker', endAt(0.35), 30, 80],
  ['is cut off', cutAt(0.35), 30, 80],
  ['is cut off near its end', cutAt(0.95), 1, 10],
])('says how much of a JPEG is missing that %s', async (_name, fault, least, most) => {
  const found = await judge(fault(FRONT, findScan(FRONT)));
  const percent = Number(/about (\d+) % of its picture is missing/.exec(found)?.[1]);
  expect([found, percent >= least && percent <= most]).toEqual([found, true]);
});

it('says how much of a JPEG is zeros, but not those behind its end', async () => {
  // Its tables assign no all-zero code to even blocks.
  const whole = await sharp(FRONT)
    .toColourspace('b-w')
    .jpeg({ quality: 90, optimiseCoding: false })
    .toBuffer();
  expect(await judge(Buffer.concat([whole, Buffer.alloc(5000), whole]))).toBe('taken');
  const scan = findScan(whole);
  const damaged = zero(0.4, Math.round((whole.length - scan) / 10))(whole, scan);
  expect(await judge(damaged)).toBe('a damaged JPEG file: about 10 % of its picture is missing');
});

describe('a JPEG whose header libjpeg doubts', () => {
  const scan = findScan(FRONT);
  /** Puts bytes behind the first segment. */
  const insertJunk = (file: Buffer) => splice(0, 0, Buffer.alloc(6))(file, 4 + file.readUInt16BE(4));
  const otherSpectrum = Buffer.from(FRONT);
  otherSpectrum.fill(0, scan - 1 + FRONT.readUInt16BE(scan + 2), scan + 2 + FRONT.readUInt16BE(scan + 2));

  it.each<[string, Buffer]>([
    ['bytes between segments', insertJunk(FRONT)],
    ['another spectral selection', otherSpectrum],
    ['zeros behind its end', Buffer.concat([FRONT, Buffer.alloc(5000)])],
  ])('is taken with a whole picture: %s', async (_name, bytes) => expect(await judge(bytes)).toBe('taken'));

  it('is refused with a damaged picture all the same', async () => {
    expect(await judge(insertJunk(endAt(0.5)(FRONT, scan)))).toMatch(/^a damaged JPEG file/);
  });

  it('is not corrected where the length of its scan header is 0', () => {
    const file = Buffer.from(FRONT);
    file.writeUInt16BE(0, scan + 2);
    expect(() => correctJpegHeader(file)).not.toThrow();
  });
});

describe('a HEIC photo', () => {
  const from = HEIC.indexOf('mdat') + 4;
  /** Loses bytes, but is as long as its header says: what follows moves up, and foreign bytes fill the end. */
  const lose =
    (share: number, length: number): Fault =>
    (...whole) =>
      Buffer.concat([splice(share, length)(...whole), Buffer.alloc(length, 0x5a)]);
  const ZEROS = /^a HEIC photo with zeros where picture data should be$/;
  const LOST = /^a damaged HEIC file: about \d+ % of its picture is missing$/;

  it.each<[string, Fault, RegExp]>([
    ['zeros near its start', zero(0.02, 65_536), ZEROS],
    ['zeros', zero(0.6, 1024), ZEROS],
    ['data lost near its start', lose(0.02, 65_536), LOST],
    ['data lost', lose(0.6, 1024), LOST],
  ])('is refused with %s', async (_name, fault, found) => {
    expect(await judge(fault(HEIC, from))).toMatch(found);
  });

  it('of more than 256 items, which libvips refuses, is read, but not of more than the limit', async () => {
    expect(await judge(makeGridHeic(TILE, 300))).toBe('taken');
    expect(await judge(makeGridHeic(TILE, 5000))).toBe('a HEIC photo of 5005 parts');
  });

  it('of tiles is refused as damaged with zeros in them', async () => {
    const whole = makeGridHeic(TILE, 0);
    expect(await judge(whole)).toBe('taken');
    const damaged = zero(0.5, 600)(whole, whole.indexOf('mdat') + 4);
    expect(await judge(damaged)).toMatch(/^a (damaged HEIC|HEIC photo with zeros)/);
  });

  const renamed = (type: string, brand: string) =>
    HEIC.toString('latin1').replace('heic', brand).replaceAll('heic', 'miaf').replaceAll('hvc1', type);
  it.each([
    ['H.264 content', renamed('avc1', 'avci')],
    ['JPEG 2000 content', renamed('j2k1', 'j2ki')],
    ['H.266 content', renamed('vvc1', 'vvic')],
    ['JPEG content', renamed('jpeg', 'mif1')],
    ['an image sequence only', '\0\0\0\x10ftyphevc\0\0\0\0\0\0\0\x08moov\0\0\0\x08mdat'],
  ])('without an HEVC picture is named by what it has: %s', async (content, file) => {
    expect(await judge(Buffer.from(file, 'latin1'))).toBe(`a HEIF file with ${content}`);
  });
});

describe('a PNG', () => {
  it.each(['tEXt', 'zTXt', 'iTXt'])('is read without its %s chunks', (type) => {
    const text = makeChunk(type, Buffer.from('Comment\0\0damaged on purpose'));
    const parts = [PNG.subarray(0, 33), text, PNG.subarray(33, -12), text, PNG.subarray(-12)];
    expect(dropPngTexts(Buffer.concat(parts)).equals(PNG)).toBe(true);
  });

  it('is refused with another byte in the middle', async () => {
    const bytes = Buffer.from(PNG);
    const at = bytes.length >> 1;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x55, at);
    expect(await judge(bytes)).toBe('a damaged or cut-off PNG file');
  });

  it('of 1 MB with gigabytes of text, four at once, takes less than 400 MB', () => {
    const script = join(import.meta.dirname, 'read-text-bombs.ts');
    const growth = Number(execFileSync(process.execPath, ['--import', 'tsx', script], { encoding: 'utf8' }));
    expect(growth).toBeGreaterThan(0);
    expect(growth).toBeLessThan(400);
  });
});

describe('a file is cut off', () => {
  it.each<[keyof typeof isTruncated, string, Buffer]>([
    ['jpeg', '', PROGRESSIVE],
    ['png', '', PNG],
    ['heic', ' of two boxes of data', Buffer.concat([box('mdat'), HEIC])],
  ])('without its end, wherever that is, but not with something behind it: %s%s', (format, _name, whole) => {
    const isCut = isTruncated[format];
    expect([isCut(whole), isCut(Buffer.concat([whole, Buffer.alloc(500)]))]).toEqual([false, false]);
    expect([0.3, 0.9].map((share) => isCut(cutAt(share)(whole, 0)))).toEqual([true, true]);
    expect(isCut(whole.subarray(0, -2))).toBe(true);
  });

  it('whatever a preview ends with', () => {
    // A segment of its own right behind the first marker, as cameras have it, with a preview that is whole.
    const preview = Buffer.from([0xff, 0xe1, 0, 6, ...END, 0, 0]);
    const photo = splice(0, 0, preview)(FRONT, 2);
    expect(isTruncated.jpeg(photo)).toBe(false);
    expect(isTruncated.jpeg(photo.subarray(0, 100_000))).toBe(true);
  });
});
