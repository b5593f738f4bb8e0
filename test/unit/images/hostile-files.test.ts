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

const ROWS: readonly Row[] = [
  ...times(60, (i) => {
    const share = between(0.02, 0.97);
    return {
      name: `JPEG ${i % 3} ending at ${share}`,
      answer: 'IMAGE_UNREADABLE',
      make: () => damage(jpeg(i), endAt(share)),
    };
  }),
  ...times(40, (i) => {
    const share = between(0.02, 0.99);
    return {
      name: `JPEG ${i % 3} cut at ${share}`,
      answer: 'IMAGE_UNREADABLE',
      make: () =>
        jpeg(i).subarray(0, findScan(jpeg(i)) + Math.floor((jpeg(i).length - findScan(jpeg(i))) * share)),
    };
  }),
  ...times(30, (i) => {
    const share = between(0.05, 0.6);
    return {
      name: `JPEG ${i % 3} with 8 kB of zeros at ${share}`,
      answer: 'IMAGE_UNREADABLE',
      make: () => damage(jpeg(i), zero(share, 8192)),
    };
  }),
  ...times(30, (i) => {
    const share = between(0.05, 0.6);
    return {
      name: `JPEG ${i % 3} without 16 kB at ${share}`,
      answer: 'IMAGE_UNREADABLE',
      make: () => damage(jpeg(i), lose(share, 16_384)),
    };
  }),
  ...times(20, (i) => ({
    name: `JPEG ${i % 3} with ${i} bytes behind its first segment`,
    answer: 'taken',
    make: () => {
      const end = 4 + jpeg(i).readUInt16BE(4);
      return Buffer.concat([jpeg(i).subarray(0, end), Buffer.alloc(i), jpeg(i).subarray(end)]);
    },
  })),
  ...times(20, (i) => ({
    name: `JPEG ${i % 3} with ${i * 999} bytes behind its end`,
    answer: 'taken',
    make: () => Buffer.concat([jpeg(i), Buffer.alloc(i * 999, i)]),
  })),
  ...times(20, (i) => {
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
  ...times(20, () => {
    const size = { width: Math.round(between(200, 1279)), height: Math.round(between(200, 719)) };
    return {
      name: `JPEG of ${size.width}x${size.height}`,
      answer: 'IMAGE_QUALITY_TOO_LOW',
      make: () =>
        sharp(picture)
          .resize({ ...size, fit: 'fill' })
          .jpeg()
          .toBuffer(),
    };
  }),
  ...times(20, (i) => {
    const size = { width: Math.round(between(1280, 1900)), height: Math.round(between(720, 1070)) };
    return {
      name: `JPEG of ${size.width}x${size.height}, below what is recommended`,
      answer: 'flagged',
      make: () =>
        sharp(picture)
          .resize({ ...size, fit: 'fill' })
          .jpeg({ quality: 90 - i })
          .toBuffer(),
    };
  }),
  ...times(30, () => {
    const share = between(0.05, 0.98);
    return {
      name: `PNG cut at ${share}`,
      answer: 'IMAGE_UNREADABLE',
      make: () => png.subarray(0, Math.floor(png.length * share)),
    };
  }),
  ...times(20, () => {
    const share = between(0.05, 0.95);
    return {
      name: `PNG with another byte at ${share}`,
      answer: 'IMAGE_UNREADABLE',
      make: () => {
        const copy = Buffer.from(png);
        const at = Math.floor(png.length * share);
        copy[at] = (copy[at] ?? 0) ^ 0x55;
        return copy;
      },
    };
  }),
  ...times(20, (i) => {
    const type = ['tEXt', 'zTXt', 'iTXt'][i % 3] as string;
    return {
      name: `PNG with ${i + 1} broken ${type} chunks`,
      answer: 'taken',
      make: () => {
        const text = makeChunk(type, Buffer.alloc(50 * i, i));
        return Buffer.concat([
          png.subarray(0, 33),
          ...Array.from({ length: i + 1 }, () => text),
          png.subarray(33),
        ]);
      },
    };
  }),
  ...times(10, (i) => ({
    name: `PNG that claims ${17_000 + i} pixels a side`,
    answer: 'IMAGE_TOO_LARGE',
    make: () => {
      const bomb = Buffer.from(png);
      bomb.writeUInt32BE(17_000 + i, 16);
      bomb.writeUInt32BE(17_000 + i, 20);
      bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
      return bomb;
    },
  })),
  ...times(10, (i) => ({
    name: `HEIC grid with ${i * 400} items more`,
    answer: 'taken',
    make: () => makeGridHeic(heic, { width: 1280, height: 720 }, 2, 2, i * 400),
  })),
  ...times(10, (i) => ({
    name: `HEIC grid with ${4100 + i * 300} items more`,
    answer: 'IMAGE_UNREADABLE',
    make: () => makeGridHeic(heic, { width: 1280, height: 720 }, 2, 2, 4100 + i * 300),
  })),
  ...times(10, () => {
    const share = between(0.1, 0.95);
    return {
      name: `HEIC cut at ${share}`,
      answer: 'IMAGE_UNREADABLE',
      make: () => heic.subarray(0, Math.floor(heic.length * share)),
    };
  }),
  ...times(30, (i) => {
    const [name, head] = FOREIGN[i % FOREIGN.length] as readonly [string, string];
    return {
      name: `${name} of ${100 + i * 77} bytes`,
      answer: 'UNSUPPORTED_IMAGE_FORMAT',
      make: () => Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(100 + i * 77, i), END]),
    };
  }),
];

it('400 files have the right answer, each by itself and with others at once', {
  timeout: 300_000,
}, async () => {
  expect(ROWS.length).toBe(400);
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
