/**
 * Measures how many locations of a vehicle are found in a photo of another day, and their error: pairs of photos
 * rendered by fixtures/vehicle/render/pairs.py, with the vehicle coordinates of each pixel. Locations are squares of 4
 * % of the photo's width on body panels visible in both photos. For walk-arounds with a `labels.json`: ordered pairs of
 * photos of one visit that show the same labelled damage.
 *
 *     npx tsx test/bench/registration.ts PAIRS|PHOTOS
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { toGrey } from '../../src/domain/photo.ts';
import {
  GUIDED_CRITERIA,
  mapPoint,
  matchGuided,
  matchKeyPoints,
  registerCoarsely,
  registerPlace,
} from '../../src/domain/sight/place/registration.ts';
import { isSamePart } from '../../src/domain/sight/place/same-part.ts';
import { createPhotoReader } from '../../src/images/photo-reader.ts';
import { resizeRgb } from '../../src/images/read/resize-rgb.ts';
import { shippedModelDir } from '../../src/index.ts';
import { createVision } from '../../src/vision/vision.ts';

type Point = readonly [x: number, y: number, z: number];

/** Range of a position map in metres; see positions.py. */
const RANGE = 6;
/** Distance between locations in pixels of the position map. */
const STEP = 28;
const SIDE = 0.04;
/** Maximum distance in metres between the same point of both photos. */
const SAME = 0.012;
const CELL = 0.03;
/** Maximum error of a correct location, as a fraction of the width. */
const RIGHT = 0.01;
const PANEL = /door|fender|hood|quarter_panel|bumper|trunk|roof/;

async function readPositions(path: string) {
  const { data, info } = await sharp(path)
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const values = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  const at = (pixel: number) =>
    [0, 1, 2].map(
      (k) => ((values[info.channels * pixel + k] ?? 0) / 65_535) * RANGE - RANGE / 2,
    ) as unknown as Point;
  const isVehicle = (pixel: number) => (values[info.channels * pixel] ?? 0) > 0;
  return { width: info.width, height: info.height, at, isVehicle };
}

function indexPositions({ width, height, at, isVehicle }: Awaited<ReturnType<typeof readPositions>>) {
  const cells = new Map<string, number[]>();
  const cellOf = (point: Point) => point.map((one) => Math.floor(one / CELL));
  for (let pixel = 0; pixel < width * height; pixel++)
    if (isVehicle(pixel)) {
      const key = cellOf(at(pixel)).join();
      cells.set(key, [...(cells.get(key) ?? []), pixel]);
    }
  return (point: Point): number | undefined => {
    const [x = 0, y = 0, z = 0] = cellOf(point);
    const around = [-1, 0, 1];
    const near = around.flatMap((i) =>
      around.flatMap((j) => around.flatMap((k) => cells.get([x + i, y + j, z + k].join()) ?? [])),
    );
    const away = (pixel: number) => Math.hypot(...at(pixel).map((one, k) => one - (point[k] ?? 0)));
    const [nearest] = near.toSorted((one, other) => away(one) - away(other));
    return nearest !== undefined && away(nearest) < SAME ? nearest : undefined;
  };
}

const [folder = ''] = process.argv.slice(2);
const vision = await createVision({ modelDir: shippedModelDir(), resize: resizeRgb, threads: 1 });
const reader = createPhotoReader();

async function open(path: string) {
  const reading = await reader.read({ kind: 'file', path });
  if (!reading.ok) throw new Error(`${path} cannot be read`);
  const { raster } = reading.photo;
  const parts = await vision.findParts({ raster, size: raster });
  const grey = toGrey(raster);
  return { grey, parts, points: await vision.findPoints(grey, parts) };
}

async function measureDays(): Promise<void> {
  const sums = { places: 0, plain: 0, plainRight: 0, found: 0, right: 0 };
  for (const name of readdirSync(folder).filter((one) => existsSync(join(folder, one, 'before.png')))) {
    const path = (file: string) => join(folder, name, file);
    const [before, after] = [await open(path('before.jpg')), await open(path('after.jpg'))];
    const [here, there] = [await readPositions(path('before.png')), await readPositions(path('after.png'))];
    const find = indexPositions(there);
    const matches = matchKeyPoints(before.points, after.points);
    const again = matchGuided(before.points, after.points, matches, after.grey);
    const counts = { places: 0, plain: 0, plainRight: 0, found: 0, right: 0 };
    for (let y = STEP; y < here.height - STEP; y += STEP)
      for (let x = STEP; x < here.width - STEP; x += STEP) {
        const { bestLabels, labels, width, height } = before.parts;
        const label =
          labels[
            bestLabels[
              Math.floor((y / here.height) * height) * width + Math.floor((x / here.width) * width)
            ] ?? 0
          ];
        const pixel = y * here.width + x;
        const wanted = here.isVehicle(pixel) ? find(here.at(pixel)) : undefined;
        if (wanted === undefined || label === undefined || !PANEL.test(label)) continue;
        counts.places++;
        const side = SIDE * before.grey.width;
        const middle = {
          x: (x / here.width) * before.grey.width,
          y: (y / here.height) * before.grey.height,
        };
        const box = { x: middle.x - side / 2, y: middle.y - side / 2, width: side, height: side };
        const plain = registerPlace(matches, box, before.grey);
        const found = plain ?? registerPlace(again, box, before.grey, GUIDED_CRITERIA);
        if (found === null) continue;
        const at = mapPoint(found.model, middle.x, middle.y);
        const isRight =
          Math.hypot(
            at.x / after.grey.width - (wanted % there.width) / there.width,
            (at.y - (Math.floor(wanted / there.width) / there.height) * after.grey.height) / after.grey.width,
          ) < RIGHT;
        counts.found++;
        counts.right += Number(isRight);
        if (plain === null) continue;
        counts.plain++;
        counts.plainRight += Number(isRight);
      }
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += counts[key];
    process.stdout.write(`${name}: ${JSON.stringify(counts)}\n`);
  }
  process.stdout.write(`all: ${JSON.stringify(sums)}\n`);
}

interface LabelledPhoto {
  readonly folder: string;
  readonly file: string;
  readonly width: number;
  readonly car: string;
  readonly damages: readonly {
    readonly part: string;
    readonly bbox: readonly [number, number, number, number];
    readonly vehicle_damage?: string;
  }[];
}

/** Finds each damage that several photos of a visit show in the others; right if at most half its length off. */
async function measureViews(): Promise<void> {
  const { photos }: { photos: LabelledPhoto[] } = JSON.parse(
    readFileSync(join(folder, 'labels.json'), 'utf8'),
  );
  const shown = photos.flatMap((photo) =>
    photo.damages.flatMap((damage) =>
      damage.vehicle_damage
        ? [{ photo, damage, key: `${photo.folder} ${photo.car} ${damage.vehicle_damage}` }]
        : [],
    ),
  );
  const opened = new Map<LabelledPhoto, Awaited<ReturnType<typeof open>>>();
  const openOnce = async (photo: LabelledPhoto) => {
    const known = opened.get(photo) ?? (await open(join(folder, photo.folder, photo.file)));
    opened.set(photo, known);
    return known;
  };
  const counts: Record<string, { found: number; right: number }> = {};
  let pairs = 0;
  for (const from of shown)
    for (const to of shown) {
      if (from === to || from.key !== to.key) continue;
      pairs++;
      const [a, b] = [await openOnce(from.photo), await openOnce(to.photo)];
      const toBox = ({ photo, damage: { bbox } }: typeof from, { grey }: typeof a) => {
        const scale = grey.width / photo.width;
        const [x, y, width, height] = bbox.map((one) => one * scale) as [number, number, number, number];
        return { x, y, width, height };
      };
      const [box, wanted] = [toBox(from, a), toBox(to, b)];
      const matches = matchKeyPoints(a.points, b.points);
      const guided = matchGuided(a.points, b.points, matches, b.grey);
      const tries = {
        exact: registerPlace(matches, box, a.grey),
        guided: registerPlace(guided, box, a.grey, GUIDED_CRITERIA),
        coarse: registerCoarsely(guided, box, a.grey),
      };
      const [accuracy, found] = Object.entries(tries).find(([, one]) => one !== null) ?? [];
      if (!accuracy || !found) continue;
      const at = mapPoint(found.model, box.x + box.width / 2, box.y + box.height / 2);
      const point = (x: number, y: number, { grey }: typeof a) => ({ u: x / grey.width, v: y / grey.height });
      const centre = point(box.x + box.width / 2, box.y + box.height / 2, a);
      const agreement = { inliers: found.inliers, likeness: () => 0 };
      if (!isSamePart(a.parts, centre, b.parts, point(at.x, at.y, b), agreement)) continue;
      const error = Math.hypot(at.x - wanted.x - wanted.width / 2, at.y - wanted.y - wanted.height / 2);
      const isRight = error < Math.max(wanted.width, wanted.height) / 2;
      const count = counts[accuracy] ?? { found: 0, right: 0 };
      counts[accuracy] = { found: count.found + 1, right: count.right + Number(isRight) };
      if (!isRight || process.env.SHOW)
        process.stdout.write(
          `${from.key} ${from.photo.file} to ${to.photo.file}: ${accuracy}, ${error.toFixed(0)} pixels off, damage ${Math.max(wanted.width, wanted.height).toFixed(0)}\n`,
        );
    }
  process.stdout.write(`${pairs} pairs of one visit: ${JSON.stringify(counts)}\n`);
}

await (existsSync(join(folder, 'labels.json')) ? measureViews() : measureDays());
await vision.close();
