/**
 * Measures how often a size interval contains the true length (80 % is claimed): on the rendered demo vehicle by the
 * true boxes of its damage, and on photos by parts of known length, measured from the other parts.
 *
 *     npx tsx test/bench/sizes.ts [LABELS.json ...]
 */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decodeAny } from '../../models/evaluate/decode-any.ts';
import { parseLabelledPhotos } from '../../models/evaluate/finds/labelled-photos.ts';
import type { SegmentLabel } from '../../src/domain/sight/detection.ts';
import {
  clipToPart,
  computeScaleAt,
  computeSize,
  estimateScale,
  isCredible,
} from '../../src/domain/sight/measure.ts';
import { findPartSize } from '../../src/domain/sight/part-sizes.ts';
import { createScene } from '../../src/domain/sight/photo-scene.ts';
import { resizeRgb } from '../../src/images/read/resize-rgb.ts';
import { shippedModelDir } from '../../src/index.ts';
import { createVision } from '../../src/vision/vision.ts';
import { DEMO_STATES, findPhoto, listPhotos } from '../helpers/photos/demo-vehicle.ts';

/** A measured length and the true one. */
interface Measured {
  readonly cm: number;
  readonly trueCm: number;
  readonly halfWidth: number;
}

const vision = await createVision({ modelDir: shippedModelDir(), resize: resizeRgb });
const partsOf = async (file: string) => {
  const picture = await decodeAny(file);
  return {
    seen: createScene(await vision.findParts(picture), picture.size, null).visibleParts,
    photo: picture.size,
  };
};

const rendered: Measured[] = [];
let damages = 0;
for (const state of DEMO_STATES) {
  for (const [name, photo] of listPhotos(state)) {
    // The evaluation only reads JPEG and PNG.
    if (name.endsWith('.heic')) continue;
    const { seen, photo: size } = await partsOf(findPhoto(state, name));
    for (const { part, box, visible_share: share, size_cm: trueSize } of photo.damages) {
      if (share < 0.9) continue;
      damages++;
      const visible = seen.find(({ label }) => label === part);
      const found = estimateScale(seen);
      if (!found || !isCredible(found, visible)) continue;
      const scale = computeScaleAt(found, part as SegmentLabel, visible, size);
      const { longSideCm } = computeSize(clipToPart(box, visible), scale);
      const trueCm = Math.max(trueSize.length, trueSize.width);
      rendered.push({ cm: longSideCm, trueCm, halfWidth: longSideCm * scale.relativeError });
    }
  }
}
print(
  `rendered damage, ${damages} views: ${damages - rendered.length} without a scale; ${coverageOf(rendered)}`,
);
/** Parts whose length varies least between cars. */
const KNOWN: readonly SegmentLabel[] = [
  'front_door_left',
  'front_door_right',
  'windshield',
  'hood',
  'front_bumper',
];
for (const labels of process.argv.slice(2)) {
  const measured: Measured[] = [];
  const photos = parseLabelledPhotos(await readFile(labels, 'utf8'), labels);
  for (const { file } of photos) {
    const { seen, photo } = await partsOf(join(dirname(labels), file));
    for (const part of seen.filter(({ label, isTruncated }) => KNOWN.includes(label) && !isTruncated)) {
      const { reference } = findPartSize(part.label);
      const found = estimateScale(seen.filter((other) => other !== part));
      if (!reference || !found || !isCredible(found, part)) continue;
      // The reference is the foreshortened length, so the interval reflects the scale alone.
      const scale = computeScaleAt(found, part.label, { ...part, isTruncated: true }, photo);
      const cm = part.box[reference.axis] * scale.cmPerPixel;
      measured.push({ cm, trueCm: reference.cm, halfWidth: cm * scale.relativeError });
    }
  }
  print(`${labels}, parts of known length in ${photos.length} photos: ${coverageOf(measured)}`);
}
await vision.close();

function coverageOf(all: readonly Measured[]): string {
  const held = all.filter(({ cm, trueCm, halfWidth }) => Math.abs(cm - trueCm) <= halfWidth).length;
  const share = Math.round((100 * held) / Math.max(1, all.length));
  return `the interval holds ${held} of ${all.length} (${share} %)`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
