/* Reads four PNGs of 200 texts of 7.9 MB at once; prints by how many megabytes the process grew at most. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { drawn, makeChunk } from './pictures.ts';

const plain = await drawn(1600, 900).png({ compressionLevel: 1 }).toBuffer();
const text = makeChunk(
  'zTXt',
  Buffer.concat([Buffer.from('key\0\0', 'latin1'), deflateSync(Buffer.alloc(7_900_000, 'a'))]),
);
const bomb = Buffer.concat([
  plain.subarray(0, 33),
  ...Array.from({ length: 200 }, () => text),
  plain.subarray(33),
]);

const reader = createPhotoReader();
await reader.read({ kind: 'bytes', bytes: await sharp(plain).png().toBuffer(), name: 'plain' });
const before = process.resourceUsage().maxRSS;
const results = await Promise.all(
  ['a', 'b', 'c', 'd'].map((name) => reader.read({ kind: 'bytes', bytes: Buffer.from(bomb), name })),
);
await reader.close();
if (!results.every(({ ok }) => ok)) throw new Error('A PNG with long texts was refused.');
process.stdout.write(String(Math.max(1, Math.round((process.resourceUsage().maxRSS - before) / 1024))));
