/* Reads four PNGs of 200 texts of 7.9 MB at once; prints by how many megabytes the process grew at most. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { crc32, drawn } from './pictures.ts';

const plain = await drawn(1600, 900).png({ compressionLevel: 1 }).toBuffer();
const body = Buffer.concat([Buffer.from('zTXtkey\0\0', 'latin1'), deflateSync(Buffer.alloc(7_900_000, 'a'))]);
const frame = Buffer.alloc(8);
frame.writeUInt32BE(body.length - 4);
frame.writeUInt32BE(crc32(body), 4);
const text = Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
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
