// @module-tag slow: photos are encoded and decoded

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { correctJpegHeader } from '../../../src/images/read/jpeg.ts';
import { FIXTURES } from '../../helpers/cli/run-cli.ts';
import { END, endAt, type Fault, findScan, lose, startOf, zero } from './faults.ts';
import { makeGridHeic } from './grid-heic.ts';
import { findFixture, makeChunk } from './pictures.ts';

const reader = createPhotoReader();
afterAll(() => reader.close());

const demo = (name: string) => readFileSync(join(FIXTURES, 'vehicle', name));
const FRONT = demo('front.jpg');
const HEIC = demo('rear_right_closeup.heic');

/** What the reader says of a photo: `taken`, or what it found instead. */
async function judge(bytes: Uint8Array): Promise<string> {
  const result = await reader.read({ kind: 'bytes', bytes, name: 'photo' });
  return result.ok ? 'taken' : result.rejection.found;
}

/** Faults that leave a whole file with an end, by name. */
const FAULTS: readonly (readonly [string, Fault])[] = [
  ...[0.3, 0.6, 0.9].map((share) => [`the scan ends at ${share}`, endAt(share)] as const),
  ...[4096, 65_536].flatMap((length) => [
    [`${length} zeros`, zero(0.4, length)] as const,
    [`${length} bytes lost`, lose(0.4, length)] as const,
  ]),
  [
    'another photo follows in the middle',
    (file, from, to) => Buffer.concat([file.subarray(0, startOf(from, to, 0.5)), file]),
  ],
  [
    'an end marker in the middle',
    (file, from, to) =>
      Buffer.concat([file.subarray(0, startOf(from, to, 0.4)), END, file.subarray(startOf(from, to, 0.4))]),
  ],
  [
    '4096 fill bytes',
    (file, from, to) =>
      Buffer.concat([
        file.subarray(0, startOf(from, to, 0.4)),
        Buffer.alloc(4096, 0xff),
        file.subarray(startOf(from, to, 0.4) + 4096),
      ]),
  ],
];

describe.each<[string, () => Promise<Buffer>]>([
  ['baseline', async () => FRONT],
  ['progressive', () => sharp(FRONT).resize(1280).jpeg({ progressive: true, quality: 90 }).toBuffer()],
  ['with restart markers', async () => readFileSync(findFixture('restart-markers.jpg'))],
])('a JPEG of kind %s', (_kind, encode) => {
  let whole: Buffer;
  beforeAll(async () => {
    whole = await encode();
  });
  it('is taken as it is', async () => expect(await judge(whole)).toBe('taken'));

  it.each(FAULTS)('is refused as damaged: %s', async (_name, fault) => {
    expect(await judge(fault(whole, findScan(whole), whole.length))).toMatch(
      /^a damaged( or cut-off)? JPEG file/,
    );
  });
});

// Data lost in the middle of a CMYK scan shifts the picture without a warning of libjpeg: its components share tables.
it('a CMYK JPEG is taken as it is, and refused as damaged where its scan ends early', async () => {
  const whole = await sharp(FRONT).resize(1280).toColourspace('cmyk').jpeg({ quality: 90 }).toBuffer();
  expect(await judge(whole)).toBe('taken');
  expect(await judge(endAt(0.6)(whole, findScan(whole), whole.length))).toMatch(/^a damaged JPEG file/);
});

it.each<[string, Fault, number, number]>([
  ['ends early with an end marker', endAt(0.35), 30, 80],
  ['is cut off', (file, from, to) => file.subarray(0, startOf(from, to, 0.35)), 30, 80],
  ['is cut off near its end', (file, from, to) => file.subarray(0, startOf(from, to, 0.95)), 1, 10],
])('says how much of a JPEG is missing that %s', async (_name, fault, least, most) => {
  const found = await judge(fault(FRONT, findScan(FRONT), FRONT.length));
  const percent = Number(/about (\d+) % of its picture is missing/.exec(found)?.[1]);
  expect([found, percent >= least && percent <= most]).toEqual([found, true]);
});

/** A JPEG whose tables assign no all-zero code to even blocks. */
const encodeGray = () =>
  sharp(FRONT).toColourspace('b-w').jpeg({ quality: 90, optimiseCoding: false }).toBuffer();

it('takes a JPEG with zeros and another photo behind its end', async () => {
  const whole = await encodeGray();
  expect(await judge(Buffer.concat([whole, Buffer.alloc(5000), whole]))).toBe('taken');
});

it('says how much of a JPEG is zeros', async () => {
  const whole = await encodeGray();
  const scan = whole.length - findScan(whole);
  const found = await judge(zero(0.4, Math.round(scan / 10))(whole, findScan(whole), whole.length));
  expect(found).toBe('a damaged JPEG file: about 10 % of its picture is missing');
});

describe('a JPEG whose header libjpeg doubts, but whose picture is whole', () => {
  it.each<[string, Buffer]>([
    ['bytes between segments', insertJunk(FRONT)],
    ['another spectral selection', setSpectrum(FRONT, [0, 0, 0])],
    ['zeros behind its end', Buffer.concat([FRONT, Buffer.alloc(5000)])],
  ])('%s: is taken', async (_name, bytes) => expect(await judge(bytes)).toBe('taken'));

  it('is not corrected where the length of its scan header is 0', () => {
    const file = Buffer.from(FRONT);
    file.writeUInt16BE(0, findScan(file) + 2);
    expect(() => correctJpegHeader(file)).not.toThrow();
  });

  it('is refused with a damaged picture all the same', async () => {
    const damaged = endAt(0.5)(FRONT, findScan(FRONT), FRONT.length);
    expect(await judge(insertJunk(damaged))).toMatch(/^a damaged JPEG file/);
  });
});

/** Puts bytes behind the first segment. */
function insertJunk(file: Buffer): Buffer {
  const end = 4 + file.readUInt16BE(4);
  return Buffer.concat([file.subarray(0, end), Buffer.alloc(6), file.subarray(end)]);
}

function setSpectrum(file: Buffer, values: readonly number[]): Buffer {
  const scan = findScan(file);
  const end = scan + 2 + file.readUInt16BE(scan + 2);
  return Buffer.concat([file.subarray(0, end - 3), Buffer.from(values), file.subarray(end)]);
}

describe('a HEIC photo', () => {
  const [from, to] = [HEIC.indexOf('mdat') + 4, HEIC.length];
  const blocks = [0.02, 0.6].flatMap((share) => [1024, 65_536].map((length) => [share, length] as const));

  it('is taken as it is, also after a damaged one', async () => {
    expect(await judge(zero(0.5, 4096)(HEIC, from, to))).not.toBe('taken');
    expect(await judge(HEIC)).toBe('taken');
  });

  it.each(blocks)('is refused with zeros at %d of its data: %d bytes', async (share, length) => {
    expect(await judge(zero(share, length)(HEIC, from, to))).toBe(
      'a HEIC photo with zeros where picture data should be',
    );
  });

  it.each(blocks)('is refused with data lost at %d: %d bytes', async (share, length) => {
    const rest = lose(share, length)(HEIC, from, to);
    // As long as its header says: what follows moves up, and foreign bytes fill the end.
    const filled = Buffer.concat([rest, Buffer.alloc(HEIC.length - rest.length, 0x5a)]);
    expect(await judge(filled)).toMatch(/^a damaged HEIC file: about \d+ % of its picture is missing$/);
  });
});

test.each([
  ['avc1', 'avci', 'a HEIF file with H.264 content'],
  ['j2k1', 'j2ki', 'a HEIF file with JPEG 2000 content'],
  ['vvc1', 'vvic', 'a HEIF file with H.266 content'],
  ['jpeg', 'mif1', 'a HEIF file with JPEG content'],
])('a HEIF still of %s is named by its codec', async (type, brand, found) => {
  const renamed = HEIC.toString('latin1')
    .replace('heic', brand)
    .replaceAll('heic', 'miaf')
    .replaceAll('hvc1', type);
  expect(await judge(Buffer.from(renamed, 'latin1'))).toBe(found);
});

describe('a PNG', () => {
  let plain: Buffer;
  beforeAll(async () => {
    plain = await sharp(FRONT).resize(1280).png({ compressionLevel: 1 }).toBuffer();
  });

  it.each(['tEXt', 'zTXt', 'iTXt'])('is read without its %s chunks', async (type) => {
    const text = makeChunk(type, Buffer.from('Comment\0\0damaged on purpose'));
    const bytes = Buffer.concat([
      plain.subarray(0, 33),
      text,
      plain.subarray(33, -12),
      text,
      plain.subarray(-12),
    ]);
    expect(await judge(bytes)).toBe('taken');
  });

  it.each([0.1, 0.5, 0.9])('is refused with another byte at %d', async (share) => {
    const bytes = Buffer.from(plain);
    const at = Math.floor(bytes.length * share);
    bytes[at] = (bytes[at] ?? 0) ^ 0x55;
    expect(await judge(bytes)).toBe('a damaged or cut-off PNG file');
  });

  it('of 1 MB with gigabytes of text, four at once, takes less than 400 MB', () => {
    const script = join(import.meta.dirname, 'read-text-bombs.ts');
    const growth = Number(execFileSync(process.execPath, ['--import', 'tsx', script], { encoding: 'utf8' }));
    expect(growth).toBeGreaterThan(0);
    expect(growth).toBeLessThan(400);
  });
});

describe('a HEIC photo of many items', () => {
  const tile = readFileSync(findFixture('display_p3.heic'));
  const size = { width: 1280, height: 720 };

  it('is read with more than 256, which libvips refuses', async () => {
    expect(await judge(makeGridHeic(tile, size, 2, 2, 300))).toBe('taken');
    expect(await judge(makeGridHeic(tile, size, 2, 2, 4000))).toBe('taken');
  });

  it.each([0.2, 0.5, 0.8])('is refused as damaged with zeros at %d of the tiles', async (share) => {
    const whole = makeGridHeic(tile, size, 2, 2, 0);
    expect(await judge(whole)).toBe('taken');
    const from = whole.indexOf('mdat') + 4;
    expect(await judge(zero(share, 600)(whole, from, whole.length))).toMatch(
      /^a (damaged HEIC|HEIC photo with zeros)/,
    );
  });

  it('is refused by their number beyond the limit', async () => {
    expect(await judge(makeGridHeic(tile, size, 2, 2, 5000))).toBe('a HEIC photo of 5005 parts');
  });
});
