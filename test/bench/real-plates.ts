/*
 * Measures how number plates of real photos are read: `npx tsx test/bench/real-plates.ts DATA`, where DATA holds the
 * detector's photos in `train` and `val`. `models/training/labels/plates-read.jsonl` has the plates that a person reads
 * whole; each as a hash of photo and text, so that the list names no vehicle.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Box, computeShareOfSmaller, type Size } from '../../src/domain/geometry.ts';
import type { SizedRaster } from '../../src/domain/photo.ts';
import { boundsOf, toQuad } from '../../src/domain/quad.ts';
import type { Plate } from '../../src/domain/sight/plate.ts';
import { toPlateKey } from '../../src/domain/vehicle/read-facts.ts';
import { resizeRgb } from '../../src/images/read/resize-rgb.ts';
import { openImage, readPixels } from '../../src/images/sharp.ts';
import { shippedModelDir } from '../../src/vision/models/model-files.ts';
import { createVision } from '../../src/vision/vision.ts';
import { createReadCounts } from './read-counts.ts';

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

async function open(photo: string, size: Size): Promise<SizedRaster> {
  const image = openImage(join(folder, photo)).removeAlpha();
  return { raster: await readPixels(image.resize({ ...size, fit: 'fill' })), size };
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
const counts = createReadCounts();

/** Reads a plate, and counts whether it is the labeled one. */
const count = (row: string, label: Label, picture: SizedRaster, plate?: Plate) =>
  counts.count(
    row,
    async () => (plate && (await vision.readFacts(picture, [plate], false)))?.map(({ value }) => value) ?? [],
    (value) => hash(label.photo, value) === label.plate,
  );

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

counts.print('plates of');
