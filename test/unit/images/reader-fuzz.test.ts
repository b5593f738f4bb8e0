// @module-tag slow: damaged photos are decoded
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { createRandom } from '../../../src/lib/random.ts';
import { drawn, findFixture } from './pictures.ts';

const CODES = ['IMAGE_QUALITY_TOO_LOW', 'IMAGE_TOO_LARGE', 'UNSUPPORTED_IMAGE_FORMAT', 'IMAGE_UNREADABLE'];
const INTERESTING = [0, 1, 0x7f, 0x80, 0xff];

/** Changes a file; `roll` gives whole numbers below its argument. */
type Mutation = (bytes: Buffer, roll: (limit: number) => number) => Buffer;
/** Replaces up to `most` bytes at a random place by what `put` makes of them. */
const replaceBlock =
  (most: number, put: (block: Buffer, byte: number) => Buffer): Mutation =>
  (bytes, roll) => {
    const at = roll(bytes.length);
    const block = bytes.subarray(at, at + 1 + roll(most));
    const replaced = put(block, INTERESTING[roll(5)] ?? 0);
    return Buffer.concat([bytes.subarray(0, at), replaced, bytes.subarray(at + block.length)]);
  };
const changeBytes =
  (
    most: number,
    within: number,
    change: (byte: number, roll: (limit: number) => number) => number,
  ): Mutation =>
  (bytes, roll) => {
    for (let i = 0; i <= roll(most); i++) {
      const at = roll(Math.min(within, bytes.length));
      bytes.writeUInt8(change(bytes.readUInt8(at), roll), at);
    }
    return bytes;
  };

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  flipBits: changeBytes(16, Number.POSITIVE_INFINITY, (byte, roll) => byte ^ (1 << roll(8))),
  truncate: (bytes, roll) => bytes.subarray(0, roll(bytes.length)),
  editHeader: changeBytes(6, 600, (_, roll) => INTERESTING[roll(5)] ?? 0),
  overwriteBlock: replaceBlock(200, (block, byte) => Buffer.alloc(block.length, byte)),
  dropBlock: replaceBlock(300, () => Buffer.alloc(0)),
  reverseBlock: replaceBlock(200, (block) => Buffer.from(block).reverse()),
  repeatBlock: replaceBlock(400, (block) => Buffer.concat([block, block])),
};
const NAMES = Object.keys(MUTATIONS);

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

const reader = createPhotoReader();
afterAll(() => reader.close());

it.each<[string, number, Buffer[]]>([
  [
    'jpeg',
    28,
    [
      await drawn(1280, 720).jpeg({ quality: 40 }).toBuffer(),
      await drawn(1280, 720)
        .jpeg({ quality: 30, progressive: true })
        .withMetadata({ orientation: 6 })
        .toBuffer(),
    ],
  ],
  [
    'png',
    42,
    [
      await drawn(1280, 720).png({ palette: true, colors: 16, effort: 1 }).toBuffer(),
      await drawn(1280, 720).toColourspace('b-w').png().toBuffer(),
    ],
  ],
  ['heic', 28, ['landscape.heic', 'turned.heic'].map((name) => readFileSync(findFixture(name)))],
])('the reader survives damaged files: %s', async (format, count, originals) => {
  const random = createRandom(7);
  const roll = (limit: number) => Math.floor(random() * limit);
  const [whole = Buffer.alloc(0)] = originals;
  const mutants = Array.from({ length: count }, (_, index) => {
    const name = NAMES[index % NAMES.length] as string;
    const bytes = MUTATIONS[name]?.(Buffer.from(originals[index % 2] ?? whole), roll) ?? whole;
    const repaired = format === 'png' && index % 3 > 0;
    return { name: `${name}-${index}`, bytes: repaired ? repairChecksums(bytes) : bytes };
  });
  const results = await Promise.all(mutants.map((mutant) => reader.read({ kind: 'bytes', ...mutant })));
  for (const [index, result] of results.entries()) {
    const name = mutants[index]?.name;
    if (result.ok) {
      const { raster, facts } = result.photo;
      expect(raster.data.length, name).toBe(raster.width * raster.height * 3);
      expect(Math.min(facts.size.width, facts.size.height), name).toBeGreaterThanOrEqual(720);
    } else {
      expect(CODES, name).toContain(result.rejection.code);
      expect(result.rejection.message, name).toMatch(new RegExp(`^${name}: found .*$`));
    }
  }
  // Both happen, or the mutants say nothing. Of PNG, whose compression notices nearly every change, few are read.
  const readCount = results.filter(({ ok }) => ok).length;
  if (format !== 'png') expect(readCount).toBeGreaterThan(count / 10);
  expect(count - readCount).toBeGreaterThan(count / 10);
  // The reader still works after all that.
  expect(await reader.read({ kind: 'bytes', bytes: whole, name: 'whole' })).toMatchObject({ ok: true });
});
