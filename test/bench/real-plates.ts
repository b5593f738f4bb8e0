/*
 * Measures how number plates of real photos are read: `npx tsx test/bench/real-plates.ts DATA`, where DATA holds the
 * detector's photos in `train` and `val`. `models/training/labels/plates-read.jsonl` has the plates that a person reads
 * whole; each as a hash of photo and text, so that the list names no vehicle.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Box, computeShareOfSmaller, type Size } from '../../src/domain/geometry.ts';
import { boundsOf, toQuad } from '../../src/domain/quad.ts';
import type { Plate } from '../../src/domain/sight/plate.ts';
import { toPlateKey } from '../../src/domain/vehicle/read-facts.ts';
import { resizeRgb } from '../../src/images/read/resize-rgb.ts';
import { openImage } from '../../src/images/sharp.ts';
import { shippedModelDir } from '../../src/vision/models/model-files.ts';
import { createVision } from '../../src/vision/vision.ts';

interface Label {
  readonly photo: string;
  /** Size of the photo as it was taken: one source has squeezed it to a square. */
  readonly size: readonly [number, number];
  readonly box: readonly [number, number, number, number];
  readonly plate: string;
}

const LABELS = join(import.meta.dirname, '../../models/training/labels/plates-read.jsonl');
const hash = (photo: string, text: string) =>
  createHash('sha256')
    .update(`${photo} ${toPlateKey(text)}`)
    .digest('hex')
    .slice(0, 16);

async function open(photo: string, size: Size) {
  const { data } = await openImage(join(folder, photo))
    .removeAlpha()
    .resize({ ...size, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { raster: { data: new Uint8Array(data), ...size }, size };
}

const MIN_CHARACTER_HEIGHT = 20;
/** Height by length of a European plate, of its characters by its length (520 by 112 mm, characters of 77). */
const PLATE_HEIGHT = 112 / 520;
const CHARACTER_HEIGHT = 77 / 520;

/** Estimates the height of a plate's characters in pixels from its box, which a plate fills from corner to corner. */
function estimateCharacterHeight({ width, height }: Box): number {
  const ratio = height / width;
  const tilt = Math.atan(Math.max(0, (ratio - PLATE_HEIGHT) / (1 - PLATE_HEIGHT * Math.min(ratio, 3))));
  return (CHARACTER_HEIGHT * width) / (Math.cos(tilt) + PLATE_HEIGHT * Math.sin(tilt));
}

const [folder = ''] = process.argv.slice(2);
const vision = await createVision({ modelDir: shippedModelDir(), resize: resizeRgb, threads: 1 });
const rows = new Map<string, Record<'exact' | 'none' | 'wrong', number>>();
const times: number[] = [];

/** Reads a plate, and counts whether it is the labeled one. */
async function count(row: string, label: Label, picture: Awaited<ReturnType<typeof open>>, plate?: Plate) {
  const start = process.cpuUsage();
  const read = plate ? ((await vision.readFacts(picture, [plate], false)) ?? []) : [];
  const { user, system } = process.cpuUsage(start);
  times.push((user + system) / 1000);
  const outcome =
    read.length === 0
      ? 'none'
      : read.every(({ value }) => hash(label.photo, value) === label.plate)
        ? 'exact'
        : 'wrong';
  const counts = rows.get(row) ?? { exact: 0, none: 0, wrong: 0 };
  counts[outcome]++;
  rows.set(row, counts);
}

for (const line of readFileSync(LABELS, 'utf8').trim().split('\n')) {
  const label = JSON.parse(line) as Label;
  const [width, height] = label.size;
  const [x, y, boxWidth, boxHeight] = label.box;
  const box: Box = { x, y, width: boxWidth, height: boxHeight };
  const picture = await open(label.photo, { width, height });
  const part = `characters ${estimateCharacterHeight(box) < MIN_CHARACTER_HEIGHT ? 'lower' : 'of 20 px and more'}, ${
    label.photo.startsWith('val') ? 'validation' : 'training'
  }`;
  await count(`${part}, labeled box`, label, picture, { corners: toQuad(box), confidence: 1 });
  const found = ((await vision.findPlates(picture, null)) ?? []).find(
    ({ corners }) => computeShareOfSmaller(boundsOf(corners), box) > 0.5,
  );
  await count(`${part}, found by the plate finder`, label, picture, found);
}
await vision.close();

process.stdout.write('| plates of | photos | exact | none | wrong |\n|---|---|---|---|---|\n');
for (const [row, { exact, none, wrong }] of [...rows].sort()) {
  const photos = exact + none + wrong;
  process.stdout.write(
    `| ${row} | ${photos} | ${exact} (${Math.round((100 * exact) / photos)} %) | ${none} | ${wrong} |\n`,
  );
}
const median = times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
process.stdout.write(`processor time of a plate: ${Math.round(median)} ms (median)\n`);
