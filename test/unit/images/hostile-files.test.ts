// @module-tag slow: hundreds of photos are encoded and decoded

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { FIXTURES } from '../../helpers/cli/run-cli.ts';
import { END, endAt, type Fault, findScan, lose, zero } from './faults.ts';
import { makeGridHeic } from './grid-heic.ts';
import { crc32, findFixture, makeChunk } from './pictures.ts';

/** What must become of a file: taken without a warning, taken with one, or refused. */
type Answer =
  | 'taken'
  | 'flagged'
  | 'IMAGE_UNREADABLE'
  | 'UNSUPPORTED_IMAGE_FORMAT'
  | 'IMAGE_QUALITY_TOO_LOW'
  | 'IMAGE_TOO_LARGE';
interface Row {
  readonly name: string;
  readonly answer: Answer;
  make(): Promise<Buffer> | Buffer;
}

const reader = createPhotoReader();
afterAll(() => reader.close());

let state = 71;
/** Numbers from 0 to 1, the same in every run (Park and Miller's generator). */
const roll = () => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
const between = (low: number, high: number) => low + roll() * (high - low);
const times = (count: number, make: (index: number) => Row): readonly Row[] =>
  Array.from({ length: count }, (_, index) => make(index));

let picture: Buffer;
const jpegs: Record<string, Buffer> = {};
let png: Buffer;
const heic = readFileSync(findFixture('display_p3.heic'));
beforeAll(async () => {
  picture = await sharp(join(FIXTURES, 'vehicle/front.jpg')).png({ compressionLevel: 1 }).toBuffer();
  png = picture;
  // Standard Huffman tables, as cameras write them; tables of a photo's own can have a code for zeros.
  jpegs.baseline = await sharp(picture).jpeg({ quality: 85, optimiseCoding: false }).toBuffer();
  jpegs.progressive = await sharp(picture).jpeg({ quality: 85, progressive: true }).toBuffer();
  jpegs.subsampled = await sharp(picture)
    .jpeg({ quality: 75, chromaSubsampling: '4:2:0', optimiseCoding: false })
    .toBuffer();
});

const KINDS = ['baseline', 'progressive', 'subsampled'] as const;
const jpeg = (index: number) => jpegs[KINDS[index % KINDS.length] as string] as Buffer;
const damage = (file: Buffer, fault: Fault) => fault(file, findScan(file), file.length);

const FOREIGN: readonly (readonly [string, string])[] = [
  ['GIF', 'GIF89a'],
  ['WebP', 'RIFF\x10\0\0\0WEBPVP8 '],
  ['TIFF', 'II*\0'],
  ['BMP', 'BM'],
  ['PDF', '%PDF-1.7'],
  ['ZIP', 'PK\x03\x04'],
  ['video', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom'],
  ['AVIF', '\0\0\0\x18ftypavif\0\0\0\0avifmif1'],
  ['web page', '<!DOCTYPE html>'],
  ['text', 'photo'],
];

/** Files of one kind, each damaged at another share of its length. */
const shares = (
  [count, low, high]: readonly [count: number, low: number, high: number],
  name: string,
  make: (share: number, index: number) => Buffer,
) =>
  times(count, (index) => {
    const share = between(low, high);
    return {
      name: `${name} at ${share}, ${index}`,
      answer: 'IMAGE_UNREADABLE',
      make: () => make(share, index),
    };
  });
/** Files of one kind that are what `make` does with their number. */
const counted = (count: number, answer: Answer, name: string, make: (index: number) => Buffer) =>
  times(count, (index) => ({ name: `${name}, ${index}`, answer, make: () => make(index) }));
/** Pictures of random sizes, at most `high`. */
const sized = (answer: Answer, low: readonly [number, number], high: readonly [number, number]) =>
  times(8, (index) => {
    const [width, height] = [0, 1].map((at) => Math.round(between(low[at] ?? 0, high[at] ?? 0)));
    return {
      name: `JPEG of ${width}x${height}`,
      answer,
      make: () =>
        sharp(picture)
          .resize(width, height, { fit: 'fill' })
          .jpeg({ quality: 90 - index })
          .toBuffer(),
    };
  });
const cut = (file: Buffer, share: number, from = 0) =>
  file.subarray(0, from + Math.floor((file.length - from) * share));

const ROWS: readonly Row[] = [
  ...shares([24, 0.02, 0.97], 'JPEG ending', (share, i) => damage(jpeg(i), endAt(share))),
  ...shares([16, 0.02, 0.99], 'JPEG cut', (share, i) => cut(jpeg(i), share, findScan(jpeg(i)))),
  ...shares([12, 0.05, 0.6], 'JPEG with 8 kB of zeros', (share, i) => damage(jpeg(i), zero(share, 8192))),
  ...shares([12, 0.05, 0.6], 'JPEG without 16 kB', (share, i) => damage(jpeg(i), lose(share, 16_384))),
  ...counted(8, 'taken', 'JPEG with bytes behind its first segment', (i) => {
    const end = 4 + jpeg(i).readUInt16BE(4);
    return Buffer.concat([jpeg(i).subarray(0, end), Buffer.alloc(i), jpeg(i).subarray(end)]);
  }),
  ...counted(8, 'taken', 'JPEG with bytes behind its end', (i) =>
    Buffer.concat([jpeg(i), Buffer.alloc(i * 999, i)]),
  ),
  ...times(8, (i) => {
    const quality = Math.round(between(40, 98));
    return {
      name: `JPEG of quality ${quality}`,
      answer: 'taken',
      make: () =>
        sharp(picture)
          .jpeg({ quality, progressive: i % 2 === 0 })
          .toBuffer(),
    };
  }),
  ...sized('IMAGE_QUALITY_TOO_LOW', [200, 200], [1279, 719]),
  // Below what is recommended.
  ...sized('flagged', [1280, 720], [1900, 1070]),
  ...shares([12, 0.05, 0.98], 'PNG cut', (share) => cut(png, share)),
  ...shares([8, 0.05, 0.95], 'PNG with another byte', (share) => {
    const copy = Buffer.from(png);
    const at = Math.floor(png.length * share);
    copy[at] = (copy[at] ?? 0) ^ 0x55;
    return copy;
  }),
  ...counted(9, 'taken', 'PNG with broken chunks of text', (i) => {
    const text = makeChunk(['tEXt', 'zTXt', 'iTXt'][i % 3] as string, Buffer.alloc(50 * i, i));
    return Buffer.concat([png.subarray(0, 33), ...Array(i + 1).fill(text), png.subarray(33)]);
  }),
  ...counted(4, 'IMAGE_TOO_LARGE', 'PNG that claims 17,000 pixels a side', (i) => {
    const bomb = Buffer.from(png);
    bomb.writeUInt32BE(17_000 + i, 16);
    bomb.writeUInt32BE(17_000 + i, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    return bomb;
  }),
  ...counted(4, 'taken', 'HEIC grid with 1,000 items more each', (i) =>
    makeGridHeic(heic, { width: 1280, height: 720 }, 2, 2, i * 1000),
  ),
  ...counted(4, 'IMAGE_UNREADABLE', 'HEIC grid with 4,100 items more and 700 each', (i) =>
    makeGridHeic(heic, { width: 1280, height: 720 }, 2, 2, 4100 + i * 700),
  ),
  ...shares([4, 0.1, 0.95], 'HEIC cut', (share) => cut(heic, share)),
  ...counted(FOREIGN.length, 'UNSUPPORTED_IMAGE_FORMAT', 'another format', (i) => {
    const [, head] = FOREIGN[i] as readonly [string, string];
    return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(100 + i * 77, i), END]);
  }),
];

it('files have the right answer, each by itself and with others at once', { timeout: 120_000 }, async () => {
  const wrong: string[] = [];
  for (let at = 0; at < ROWS.length; at += 4) {
    await Promise.all(
      ROWS.slice(at, at + 4).map(async ({ name, answer, make }) => {
        const result = await reader.read({ kind: 'bytes', bytes: await make(), name });
        const found = result.ok
          ? result.photo.issues.length > 0
            ? 'flagged'
            : 'taken'
          : result.rejection.code;
        if (found !== answer && !(found === 'flagged' && answer === 'taken' && name.startsWith('HEIC')))
          wrong.push(`${name}: ${found}, not ${answer}`);
        if (!result.ok)
          expect(result.rejection.message).toContain(`${name}: found ${result.rejection.found}`);
      }),
    );
  }
  expect(wrong).toEqual([]);
});
