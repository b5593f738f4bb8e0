/**
 * Draws what the shipped models find and miss on the demo vehicle, for their cards: `npx tsx test/pictures/draw.ts`
 * writes `models/pictures/damage.jpg` and `models/pictures/parts.jpg`. Photos go through the steps of an inspection
 * at its default settings.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Angle, ReadPhoto } from '../../src/domain/photo.ts';
import type { Sighting } from '../../src/domain/sight/sighting.ts';
import { observe, type PhotoFindings } from '../../src/engine/inspect/observe.ts';
import { createPhotoReader } from '../../src/images/photo-reader.ts';
import { resizeRgb } from '../../src/images/read/resize-rgb.ts';
import { createVision } from '../../src/vision/vision.ts';
import { findPhoto, listPhotos } from '../helpers/photos/demo-vehicle.ts';
import { drawDamageTile, drawPartsTile, drawSheet, type Seen } from './tiles.ts';

const MODELS = join(import.meta.dirname, '../../models');
const PICTURES = join(MODELS, 'pictures');

const vision = await createVision({ modelDir: MODELS, threads: 1, resize: resizeRgb });
const reader = createPhotoReader();

async function readPhoto(path: string): Promise<ReadPhoto> {
  const read = await reader.read({ kind: 'file', path });
  if (!read.ok) throw new Error(`${path}: ${read.rejection.message}`);
  return read.photo;
}

function findings(sighting: Sighting, photo: ReadPhoto, angle: Angle): PhotoFindings {
  const widest = { certain: 0, toCheck: 0 };
  const { size } = photo.facts;
  return observe(
    sighting,
    { index: 0, size, angle, issues: [] },
    { limits: widest, minConfidence: null, widest },
  );
}

const damage: Buffer[] = [];
const parts: Buffer[] = [];
const count = { shown: 0, default: 0, high: 0, false: 0 };
for (const [name, { angle, damages }] of listPhotos('damaged')) {
  const photo = await readPhoto(findPhoto('damaged', name));
  const high = await vision.detect({ raster: photo.raster, size: photo.facts.size });
  const sure = high.detections.filter(({ confidence }) => confidence >= vision.limits.default.certain);
  const probable = high.detections.filter(({ confidence }) => confidence >= vision.limits.default.toCheck);
  const seen: Seen = {
    name,
    photo,
    default: findings({ ...high, detections: sure }, photo, angle).observations,
    high: findings({ ...high, detections: probable }, photo, angle).observations,
  };
  const tile = await drawDamageTile(seen, damages);
  damage.push(tile.picture);
  count.shown += damages.length;
  count.default += tile.found.default;
  count.high += tile.found.high;
  count.false += tile.found.false;
  parts.push(await drawPartsTile(name, photo, high.parts));
}
mkdirSync(PICTURES, { recursive: true });
for (const [name, tiles] of Object.entries({ damage, parts })) {
  const sheet = sharp(await drawSheet(tiles)).jpeg({ quality: 74, mozjpeg: true });
  await sheet.toFile(join(PICTURES, `${name}.jpg`));
}
await vision.close();
await reader.close();
process.stdout.write(
  `${count.shown} damages in view; found at default ${count.default}, at high ${count.high}; findings at default where nothing is: ${count.false}\n`,
);
