// @module-tag slow: damaged photos are decoded
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { createRandom } from '../../../src/lib/random.ts';
import { drawn, findFixture } from './pictures.ts';

const CODES = ['IMAGE_QUALITY_TOO_LOW', 'IMAGE_TOO_LARGE', 'UNSUPPORTED_IMAGE_FORMAT', 'IMAGE_UNREADABLE'];
const INTERESTING = [0, 1, 0x7f, 0x80, 0xff];

/** Changes a file of one kind of photo; `roll` gives whole numbers below its argument. */
const MUTATIONS: readonly ((bytes: Buffer, roll: (limit: number) => number) => Buffer)[] = [
  function flipBits(bytes, roll) {
    for (let count = roll(16); count >= 0; count--) {
      const at = roll(bytes.length);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << roll(8)), at);
    }
    return bytes;
  },
  function editHeader(bytes, roll) {
    for (let count = roll(6); count >= 0; count--)
      bytes.writeUInt8(INTERESTING[roll(5)] as number, roll(Math.min(600, bytes.length)));
    return bytes;
  },
  function truncate(bytes, roll) {
    return bytes.subarray(0, roll(bytes.length));
  },
  function overwrite(bytes, roll) {
    const at = roll(bytes.length);
    bytes.subarray(at, at + 1 + roll(200)).fill(INTERESTING[roll(5)] as number);
    return bytes;
  },
  function drop(bytes, roll) {
    const at = roll(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + roll(300))]);
  },
];

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

const picture = () => drawn(1280, 720);
const baseline = await picture().jpeg({ quality: 40 }).toBuffer();
const turned = picture().jpeg({ quality: 30, progressive: true }).withMetadata({ orientation: 6 });
const palette = await picture().png({ palette: true, colors: 16, effort: 1 }).toBuffer();
const gray = picture().toColourspace('b-w').png();
it.each<[string, number, Buffer[]]>([
  ['jpeg', 28, [baseline, await turned.toBuffer()]],
  ['png', 42, [palette, await gray.toBuffer()]],
  ['heic', 28, ['landscape.heic', 'turned.heic'].map((name) => readFileSync(findFixture(name)))],
])('the reader survives damaged files: %s', async (format, count, originals) => {
  const random = createRandom(7);
  const roll = (limit: number) => Math.floor(random() * limit);
  const [whole = Buffer.alloc(0)] = originals;
  const mutants = Array.from({ length: count }, (_, index) => {
    const mutate = MUTATIONS[index % MUTATIONS.length] ?? Buffer.from;
    const bytes = mutate(Buffer.from(originals[index % 2] ?? whole), roll);
    const repaired = format === 'png' && index % 3 > 0;
    return { name: `${mutate.name}-${index}`, bytes: repaired ? repairChecksums(bytes) : bytes };
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
