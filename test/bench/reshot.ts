/**
 * Measures `vehi compare` on single photos and unchanged copies as if retaken: cropped by up to 8 %, warped by up to 5
 * %, 10 % lighter or darker, JPEG quality 60 to 95. The analysis of the photo itself is cached, so a comparison costs
 * little more than inspecting the copy. Continues from an earlier run's file.
 *
 *     npx tsx test/bench/reshot.ts ../shared/photos /tmp/reshot.jsonl 20
 */
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { CHANGES, type Change } from '../../src/domain/judge/changes.ts';
import type { RgbImage } from '../../src/domain/photo.ts';
import type { PartMap } from '../../src/domain/sight/detection.ts';
import type { KeyPoints } from '../../src/domain/sight/place/keypoints.ts';
import { assembleEngine } from '../../src/engine/engine.ts';
import { loadTablesWith } from '../../src/engine/pricer.ts';
import { createPhotoReader } from '../../src/images/photo-reader.ts';
import { decodeAny } from '../../src/images/read/decode-any.ts';
import { resizeRgb } from '../../src/images/read/resize-rgb.ts';
import {
  DEFAULT_OPTIONS,
  findPhotos,
  type InspectionEnvelope,
  type PhotoInput,
  shippedModelDir,
} from '../../src/index.ts';
import { createVision } from '../../src/vision/vision.ts';
import { createRandom, project } from './planted-pairs.ts';

interface Row {
  readonly photo: string;
  readonly copy: number;
  readonly certain: number;
  readonly counts: Readonly<Record<Change, number>>;
}

const [folder = '../shared/photos', file = '/tmp/reshot.jsonl', copies = '20', seed = '40'] =
  process.argv.slice(2);
const done: Row[] = existsSync(file)
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : [];
const isDone = new Set(done.map(({ photo, copy }) => `${photo} ${copy}`));

/** Creates an engine that caches its analysis by decoded picture. */
async function openEngine() {
  const vision = await createVision({ modelDir: shippedModelDir(), resize: resizeRgb, threads: 2 });
  const reader = createPhotoReader();
  const readings = new Map<Uint8Array, ReturnType<typeof reader.read>>();
  const maps = new WeakMap<RgbImage, PartMap>();
  const points = new WeakMap<PartMap, Promise<KeyPoints>>();
  const engine = assembleEngine({
    openInspectors: async () => ({
      reader: {
        read(source) {
          if (source.kind !== 'bytes') return reader.read(source);
          const reading = readings.get(source.bytes) ?? reader.read(source);
          readings.set(source.bytes, reading);
          return reading;
        },
      },
      vision: {
        ...vision,
        async detect(picture) {
          const sighting = await vision.detect(picture);
          maps.set(picture.raster, sighting.parts);
          return sighting;
        },
        findParts: async (picture) => maps.get(picture.raster) ?? vision.findParts(picture),
        async findPoints(picture, parts) {
          const found = points.get(parts) ?? vision.findPoints(picture, parts);
          points.set(parts, found);
          return found;
        },
      },
    }),
    tables: await loadTablesWith(undefined),
    defaults: { region: DEFAULT_OPTIONS.region },
    concurrency: 1,
    softwareVersion: 'bench',
    now: () => new Date(),
  });
  return { engine, vision, forget: (bytes: Uint8Array) => readings.delete(bytes) };
}

function copyOf(picture: RgbImage, random: () => number): Promise<Buffer> {
  const { width, height } = picture;
  const light = 0.9 + random() * 0.2;
  const kept = 1 - random() * 0.08;
  const [left, top] = [random() * (1 - kept) * width, random() * (1 - kept) * height];
  // Each corner of the crop moves by up to 5 % of the sides, but never outside the photo.
  const corner = (x: number, y: number) => ({
    x: Math.min(width - 1, Math.max(0, left + (x * kept + (random() - 0.5) * 0.1 * kept) * width)),
    y: Math.min(height - 1, Math.max(0, top + (y * kept + (random() - 0.5) * 0.1 * kept) * height)),
  });
  const warped = project(picture, [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]);
  return sharp(warped.data, { raw: { width, height, channels: 3 } })
    .linear(light, 0)
    .jpeg({ quality: 60 + Math.round(random() * 35) })
    .toBuffer();
}

/** A visit with one photo. */
interface Visited {
  readonly inspection: InspectionEnvelope;
  readonly bytes: Uint8Array;
}

const { engine, vision, forget } = await openEngine();

async function visit(name: string, photo: PhotoInput, bytes: Uint8Array): Promise<Visited> {
  const source = { kind: 'bytes' as const, bytes, name };
  const photos = [{ ...photo, url: name, source }];
  return {
    inspection: await engine.inspect({ vehicleId: 'reshot', photos, options: DEFAULT_OPTIONS }),
    bytes,
  };
}

const asVisit = ({ inspection, bytes }: Visited) => ({
  inspection,
  openPhoto: async ({ url }: { url: string }) => ({ kind: 'bytes' as const, bytes, name: url }),
});

const sets = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
const found = await Promise.all(sets.map(({ name }) => findPhotos([join(folder, name)])));
const rows = [...done];
for (const [at, { vehicleId, photo }] of found
  .flatMap(({ vehicleId, photos }) => photos.map((photo) => ({ vehicleId, photo })))
  .entries()) {
  if (photo.source.kind !== 'file') continue;
  const { path } = photo.source;
  const name = `${vehicleId}/${basename(path)}`;
  const open = Array.from({ length: Number(copies) }, (_, copy) => copy).filter(
    (copy) => !isDone.has(`${name} ${copy}`),
  );
  if (open.length === 0) continue;
  const { raster } = await decodeAny(path);
  const before = await visit(name, photo, readFileSync(path));
  for (const copy of open) {
    const bytes = await copyOf(raster, createRandom(Number(seed) + 1000 * at + copy));
    const after = await visit(name, photo, bytes);
    const { counts, places } = await engine.compare(asVisit(before), asVisit(after));
    const row = { photo: name, copy, certain: places.filter((place) => place.certain).length, counts };
    appendFileSync(file, `${JSON.stringify(row)}\n`);
    rows.push(row);
    forget(bytes);
  }
  forget(before.bytes);
}
const sum = (change: Change) => rows.reduce((total, { counts }) => total + counts[change], 0);
process.stdout.write(
  `${rows.length} comparisons: ${CHANGES.map((change) => `${sum(change)} ${change}`).join(', ')}\n`,
);
await vision.close();
