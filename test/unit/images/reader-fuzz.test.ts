// @module-tag slow: hundreds of damaged photos are decoded
import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { createRandom } from '../../../src/lib/random.ts';
import { drawn, findFixture } from './pictures.ts';

/** Mutants per format. */
const MUTANTS = { jpeg: 42, png: 42, heic: 28 } as const;
const AT_A_TIME = 3;
const CODES = ['IMAGE_QUALITY_TOO_LOW', 'IMAGE_TOO_LARGE', 'UNSUPPORTED_IMAGE_FORMAT', 'IMAGE_UNREADABLE'];

/** Whole numbers below `limit`, the same for the same seed. */
type Dice = (limit: number) => number;
function dice(seed: number): Dice {
  const random = createRandom(seed);
  return (limit) => Math.floor(random() * limit);
}

type Mutation = (bytes: Buffer, roll: Dice) => Buffer;

const INTERESTING = [0, 1, 0x7f, 0x80, 0xff];

const mutations: Readonly<Record<string, Mutation>> = {
  flipBits(bytes, roll) {
    for (let i = 0; i <= roll(16); i++) {
      const at = roll(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << roll(8));
    }
    return bytes;
  },
  truncate: (bytes, roll) => bytes.subarray(0, roll(bytes.length)),
  editHeader(bytes, roll) {
    for (let i = 0; i <= roll(6); i++) bytes[roll(Math.min(600, bytes.length))] = INTERESTING[roll(5)] ?? 0;
    return bytes;
  },
  overwriteBlock(bytes, roll) {
    const at = roll(bytes.length);
    bytes.fill(INTERESTING[roll(5)] ?? 0, at, Math.min(bytes.length, at + 1 + roll(200)));
    return bytes;
  },
  dropBlock(bytes, roll) {
    const at = roll(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + roll(300))]);
  },
  swapBlocks(bytes, roll) {
    const length = 4 + roll(200);
    const [a, b] = [roll(bytes.length - length), roll(bytes.length - length)];
    const kept = Buffer.from(bytes.subarray(a, a + length));
    bytes.copy(bytes, a, b, b + length);
    kept.copy(bytes, b);
    return bytes;
  },
  repeatBlock(bytes, roll) {
    const at = roll(bytes.length);
    const block = bytes.subarray(at, at + 1 + roll(400));
    return Buffer.concat([bytes.subarray(0, at), block, block, bytes.subarray(at)]);
  },
};
const names = Object.keys(mutations);

/** Puts the checksums of PNG chunks right, so that what was changed gets past them and into the decoder. */
function repairChecksums(png: Buffer): Buffer {
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    if (end + 4 > png.length) break;
    png.writeUInt32BE(crc32(png.subarray(at + 4, end)), end);
    at = end + 4;
  }
  return png;
}

const bases = {
  jpeg: async () => [
    await drawn(1280, 720).jpeg({ quality: 40 }).toBuffer(),
    await drawn(1280, 720)
      .jpeg({ quality: 30, progressive: true })
      .withMetadata({ orientation: 6 })
      .toBuffer(),
  ],
  png: async () => [
    await drawn(1280, 720).png({ palette: true, colors: 16 }).toBuffer(),
    await drawn(1280, 720).toColourspace('b-w').png().toBuffer(),
  ],
  heic: async () => [
    await readFile(findFixture('landscape.heic')),
    await readFile(findFixture('turned.heic')),
  ],
} as const;

const reader = createPhotoReader();
afterAll(() => reader.close());

describe('the reader survives damaged files', () => {
  it.each(Object.keys(MUTANTS) as (keyof typeof MUTANTS)[])(
    '%s',
    async (format) => {
      const originals = await bases[format]();
      const roll = dice(7);
      const mutants = Array.from({ length: MUTANTS[format] }, (_, index) => {
        const mutation = names[index % names.length] ?? '';
        const original = originals[index % originals.length] ?? Buffer.alloc(0);
        const bytes = mutations[mutation]?.(Buffer.from(original), roll) ?? original;
        const repaired = format === 'png' && index % 3 > 0;
        return { name: `${mutation}-${index}`, bytes: repaired ? repairChecksums(bytes) : bytes };
      });
      const counts = { read: 0, refused: 0 };
      const next = mutants.values();
      const lane = async (): Promise<void> => {
        for (const { name, bytes } of next) {
          const result = await reader.read({ kind: 'bytes', bytes, name });
          if (result.ok) {
            counts.read++;
            const { raster, facts } = result.photo;
            expect(raster.data.length, name).toBe(raster.width * raster.height * 3);
            expect(Math.min(facts.size.width, facts.size.height), name).toBeGreaterThanOrEqual(720);
          } else {
            counts.refused++;
            expect(CODES, name).toContain(result.rejection.code);
            expect(result.rejection.message, name).toContain(`${name}: found `);
            expect(result.rejection.message.split('\n'), name).toHaveLength(1);
          }
        }
      };
      await Promise.all(Array.from({ length: AT_A_TIME }, lane));
      // Both happen, or the mutants say nothing. Of PNG, whose compression notices nearly every change, few are read.
      if (format !== 'png') expect(counts.read).toBeGreaterThan(MUTANTS[format] / 10);
      expect(counts.refused).toBeGreaterThan(MUTANTS[format] / 10);
      expect(counts.read + counts.refused).toBe(MUTANTS[format]);
      // The reader still works after all that.
      const [whole] = originals;
      expect(
        await reader.read({ kind: 'bytes', bytes: whole ?? Buffer.alloc(0), name: 'whole' }),
      ).toMatchObject({ ok: true });
    },
    180_000,
  );
});
