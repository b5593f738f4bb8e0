/**
 * Measures `vehi compare` on visits with known changes: the demo vehicle (1 new dent between handover and return, all
 * planted damage new against the clean one), unchanged copies of real photos as if retaken, and pairs of labelled
 * photos with damages painted over in the earlier one or drawn into the later.
 *
 *     npm run measure:compare -- ../shared/photos [copies, demo...]
 *     npm run measure:compare -- ../shared/photos-dev,../shared/photos planted [others]
 *     npm run measure:compare -- PAIRS rendered    (made by fixtures/vehicle/render/pairs.py)
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { touches } from '../../models/evaluate/finds/touch.ts';
import type { DamageType } from '../../src/domain/damage.ts';
import { area, type Box, clampToPixels, type Size } from '../../src/domain/geometry.ts';
import { CHANGES, type Change } from '../../src/domain/judge/changes.ts';
import type { RgbImage } from '../../src/domain/photo.ts';
import type { PartMap } from '../../src/domain/sight/detection.ts';
import type { ComparedPlace } from '../../src/engine/compare/comparison.ts';
import { decodeAny } from '../../src/images/read/decode-any.ts';
import {
  createEngine,
  DEFAULT_OPTIONS,
  findPhotos,
  type InspectionEnvelope,
  type PhotoInput,
} from '../../src/index.ts';
import { createRandom, makePlantedPair, readLabels } from './planted-pairs.ts';

interface Visited {
  readonly inspection: InspectionEnvelope;
  readonly photos: readonly PhotoInput[];
}

type Copy = (photo: { data: Uint8Array; width: number; height: number }) => Promise<Buffer>;

/** Simulated retakes: quality, framing, light, camera position, focus. */
const COPIES: Readonly<Record<string, Copy>> = {
  jpeg_85: (photo) => open(photo).jpeg({ quality: 85 }).toBuffer(),
  jpeg_70: (photo) => open(photo).jpeg({ quality: 70 }).toBuffer(),
  crop: (photo) => {
    const { width, height } = photo;
    const kept = { width: Math.round(width * 0.95), height: Math.round(height * 0.95) };
    return open(photo)
      .extract({ left: Math.round(width * 0.03), top: Math.round(height * 0.02), ...kept })
      .resize(width, height, { fit: 'fill' })
      .linear(1.06, 0)
      .jpeg({ quality: 88 })
      .toBuffer();
  },
  dark: (photo) => open(photo).linear(0.9, 0).jpeg({ quality: 92 }).toBuffer(),
  warp: async (photo) => {
    const { width, height } = photo;
    // Rotated by two degrees, sheared by three hundredths, cropped to the frame.
    const turned = await open(photo)
      .affine([1.06, 0.035, -0.02, 1.03], { background: '#727272' })
      .png()
      .toBuffer({ resolveWithObject: true });
    return sharp(turned.data)
      .extract({
        left: Math.round((turned.info.width - width) / 2),
        top: Math.round((turned.info.height - height) / 2),
        width,
        height,
      })
      .linear(1.04, -3)
      .jpeg({ quality: 90 })
      .toBuffer();
  },
  soft: async (photo) => {
    const small = await open(photo)
      .resize(Math.round(photo.width * 0.75))
      .jpeg({ quality: 90 })
      .toBuffer();
    return sharp(small).resize(photo.width, photo.height, { fit: 'fill' }).jpeg({ quality: 90 }).toBuffer();
  },
};

function open({ data, width, height }: Parameters<Copy>[0]) {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const [folder, ...wanted] = process.argv.slice(2);
const engine = await createEngine();

function countProcessorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return Math.round((user + system) / 1000);
}

async function visit(vehicleId: string, photos: readonly PhotoInput[]): Promise<Visited> {
  const started = process.cpuUsage();
  const inspection = await engine.inspect({ vehicleId, photos, options: DEFAULT_OPTIONS });
  const records = inspection.data.images.flatMap(({ record }) => record ?? []);
  const kept = (JSON.stringify(records).length / 1000 / records.length).toFixed(2);
  print(
    `  inspecting ${photos.length} photos: ${countProcessorMs(started)} ms of processor time, records of ${kept} kB a photo`,
  );
  return { inspection, photos };
}

function asVisit({ inspection, photos }: Visited) {
  const sources = new Map(photos.map(({ url, source }) => [url, source]));
  return { inspection, openPhoto: async ({ url }: { url: string }) => sources.get(url) ?? null };
}

async function compare(label: string, before: Visited, after: Visited) {
  const started = process.cpuUsage();
  const compared = await engine.compare(asVisit(before), asVisit(after));
  const { counts, places } = compared;
  const certain = places.filter((place) => place.certain).length;
  const said = CHANGES.filter((change) => counts[change] > 0).map((change) => `${counts[change]} ${change}`);
  print(
    `${label}: ${certain} certain, ${places.length} places: ${said.join(', ')} (${countProcessorMs(started)} ms of processor time)`,
  );
  if (process.env.SHOW)
    for (const place of places)
      if (process.env.SHOW === 'all' || !/unchanged|not_seen/.test(place.change))
        print(
          `    ${place.change} ${place.rule} ${place.certain} ${(place.after ?? place.before)?.location.part} ${(place.after ?? place.before)?.type} n=${place.inliers} p=${place.candidate} ${place.cuts?.before.photo.url} ${JSON.stringify(place.cuts?.before.box)}`,
        );
  return compared;
}

async function load(path: string) {
  const { raster } = await decodeAny(path);
  return raster;
}

async function reshoot(photos: readonly PhotoInput[], name: string, copy: Copy): Promise<PhotoInput[]> {
  const list: PhotoInput[] = [];
  for (const photo of photos) {
    if (photo.source.kind !== 'file') continue;
    const bytes = await copy(await load(photo.source.path));
    const file = `${name}/${basename(photo.url).replace(/\.\w+$/, '.jpg')}`;
    list.push({ ...photo, url: file, source: { kind: 'bytes', bytes, name: file } });
  }
  return list;
}

const demo = async (path: string) => {
  const found = await findPhotos([path]);
  return visit(found.vehicleId, found.photos);
};
if (wanted.length === 0 || wanted.includes('demo')) {
  const damaged = await demo('fixtures/vehicle');
  const after = await demo('fixtures/vehicle/after');
  const clean = await demo('fixtures/vehicle/clean');
  await compare('demo handover → return (1 new)', damaged, after);
  await compare('demo return → handover (1 repaired)', after, damaged);
  await compare('demo clean → damaged (all certain new)', clean, damaged);
  await compare('demo damaged → clean (all certain repaired)', damaged, clean);
}
for (const [name, copy] of Object.entries(COPIES)) {
  if (folder === undefined || (wanted.length > 0 && !wanted.includes(name))) continue;
  const sums = Object.fromEntries(CHANGES.map((change) => [change, 0])) as Record<Change, number>;
  for (const set of readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory())) {
    const { photos } = await findPhotos([join(folder, set.name)]);
    const before = await visit(set.name, photos);
    const again = await visit(set.name, await reshoot(photos, name, copy));
    const { counts } = await compare(`  ${set.name} → ${name}`, before, again);
    for (const change of CHANGES) sums[change] += counts[change];
  }
  print(`${name}: ${CHANGES.map((change) => `${sums[change]} ${change}`).join(', ')}`);
}

/** Number of pairs, of one photo each, and the random seed. */
const PAIRS = 40;
const SEED = 40;
/** Every other photo, to sample all sets; `others` uses the remaining ones, on which no limit was chosen. */
const SPREAD = 2;
/** A finding this many times as large as the painted-over area includes other damage. */
const LOOSE = 4;

const PANEL = /door|fender|hood|quarter_panel|bumper|trunk|roof/;

/** Returns true if a box lies on a single body panel. */
function lieOnPanel({ bestLabels, width, height, labels }: PartMap, photo: RgbImage): (box: Box) => boolean {
  return (box) => {
    const seen = new Set<string | undefined>();
    for (let i = 0; i < 25; i++) {
      const x = (box.x + ((i % 5) / 4) * box.width) / photo.width;
      const y = (box.y + (Math.floor(i / 5) / 4) * box.height) / photo.height;
      if (x < 0 || y < 0 || x >= 1 || y >= 1) return false;
      seen.add(labels[bestLabels[Math.floor(y * height) * width + Math.floor(x * width)] ?? 0]);
    }
    const [part] = seen;
    return seen.size === 1 && part !== undefined && PANEL.test(part);
  };
}

/** Classifies each planted damage separately, detected or not; undetected ones are added by hand at their location. */
async function listByHand(
  before: Visited,
  after: Visited,
  planted: readonly { readonly type: string; readonly box: Box; readonly drawn?: boolean }[],
) {
  const asked: { label: string; place: ComparedPlace | undefined }[] = [];
  const [seen] = after.inspection.data.images;
  const source = after.photos[0]?.source;
  for (const { type, box, drawn } of seen ? planted : []) {
    const { x, y, width, height } = clampToPixels(box, seen as Size);
    const add = {
      decision: 'add' as const,
      image_index: 0,
      box: { x, y, width, height },
      type: type === 'lamp_damage' ? ('glass_damage' as const) : (type as DamageType),
    };
    const listed = await engine
      .review(after.inspection, [add], { mapOf: async () => (source ? engine.lookAt(source) : null) })
      .catch(() => null);
    const id = listed?.data.results?.damages.find(({ evidence }) =>
      evidence.some(({ coordinates: at }) => at.x === x && at.y === y && at.width === width),
    )?.damage_id;
    const all = listed && (await engine.compare(asVisit(before), asVisit({ ...after, inspection: listed })));
    const place = all?.places.find((one) => one.after?.damage_id === id);
    const how = drawn === undefined ? 'rendered' : drawn ? 'drawn' : 'painted over';
    asked.push({ label: `${how} ${type}`, place });
    if (place)
      print(
        `    by hand, ${how} ${type}: ${place.change} by ${place.rule}, ${place.inliers} points, candidate ${place.candidate}, at ${x} ${y} ${width} ${height}`,
      );
  }
  return asked;
}

/**
 * Compares pairs rendered by fixtures/vehicle/render/pairs.py: one vehicle from cameras up to 15 degrees apart, with
 * different light, sky and street. Its damage is only in the later photo (`before`), or in both (`kept`) and thus
 * unchanged in either order.
 */
async function measureRendered(folder: string, earlier: 'before' | 'kept'): Promise<void> {
  const said: Record<string, number> = {};
  const isChanged = (change: Change) => change === 'new' || change === 'worse' || change === 'repaired';
  let [pairs, elsewhere, falseNew] = [0, 0, 0];
  const measure = async (name: string, from: string, to: string, truth: string) => {
    const photo = (file: string): PhotoInput => {
      const path = join(folder, name, file);
      return { url: path, source: { kind: 'file', path } };
    };
    const planted: { type: string; box: Box }[] = JSON.parse(readFileSync(join(folder, name, truth), 'utf8'));
    const before = await visit('rendered', [photo(from)]);
    const after = await visit('rendered', [photo(to)]);
    const { places } = await compare(`  ${name} to ${to}, ${planted.length} planted`, before, after);
    pairs++;
    for (const { after: find, before: old, change } of places) {
      const boxes = (find ?? old)?.evidence.map(({ coordinates }) => coordinates) ?? [];
      const isPlanted = find && planted.some(({ box }) => boxes.some((one) => touches(one, box)));
      if (isPlanted && earlier === 'before') continue;
      elsewhere++;
      falseNew += Number(isChanged(change));
    }
    for (const { place } of await listByHand(before, after, planted)) {
      const change = place ? `${place.change}${place.cuts ? '' : ', not found'}` : 'on no part';
      said[change] = (said[change] ?? 0) + 1;
    }
  };
  for (const name of readdirSync(folder).filter((one) => existsSync(join(folder, one, `${earlier}.jpg`)))) {
    await measure(name, `${earlier}.jpg`, 'after.jpg', 'truth.json');
    if (earlier === 'kept') await measure(name, 'after.jpg', 'kept.jpg', 'kept.json');
  }
  print(
    `rendered, ${earlier === 'before' ? 'damage new' : 'damage on both days'}: ${pairs} pairs; of planted damages listed by hand ${JSON.stringify(said)}; of ${elsewhere} other places new, worse or repaired: ${falseNew}`,
  );
}

/**
 * Compares pairs with planted damage: the change reported for each planted damage, detected or added by hand, and other
 * new findings.
 */
async function measurePlanted(roots: readonly string[]): Promise<void> {
  const said: Record<string, Partial<Record<Change, number>>> = {};
  const count = (list: string, change: Change) => {
    said[list] = { ...said[list], [change]: (said[list]?.[change] ?? 0) + 1 };
  };
  let [planted, falseNew, elsewhere, unplaced, patches] = [0, 0, 0, 0, 0];
  const photos = roots.flatMap(readLabels);
  const from = Number(wanted.includes('others'));
  let pairs = 0;
  for (const [at, { file, damages }] of photos.entries()) {
    const picture = await load(file);
    const map = await engine.lookAt({ kind: 'file', path: file });
    const pair = await makePlantedPair(picture, damages, lieOnPanel(map, picture), createRandom(SEED + at));
    // One pair in three has no new damage.
    if (pairs === PAIRS || at % SPREAD !== from || (pair.planted.length === 0 && at % 3 > 0)) continue;
    pairs++;
    const photo = (name: string, bytes: Buffer): PhotoInput => ({
      url: name,
      source: { kind: 'bytes', bytes, name },
    });
    const before = await visit('planted', [photo(`before/${at}.jpg`, pair.before)]);
    const after = await visit('planted', [photo(`after/${at}.jpg`, pair.after)]);
    const label = `  ${basename(file)}, ${pair.degrees.toFixed(0)}°, ${pair.planted.length} planted`;
    const { places } = await compare(label, before, after);
    planted += pair.planted.length;
    for (const { after: find, change, certain, rule } of places) {
      if (!find) continue;
      const isPlanted = pair.planted.some(({ box }) =>
        find.evidence.some(
          ({ coordinates }) => touches(coordinates, box) && area(coordinates) <= LOOSE * area(box),
        ),
      );
      if (!isPlanted) {
        elsewhere++;
        falseNew += Number(change === 'new' || change === 'worse');
        continue;
      }
      count(certain ? 'certain' : 'to check', change);
      print(`    planted ${find.type}, ${certain ? 'certain' : 'to check'}: ${change} by ${rule}`);
    }
    for (const { label, place } of await listByHand(before, after, pair.planted)) {
      if (!place) unplaced++;
      else {
        count(`by hand, ${label}`, place.change);
        if (place.change === 'unchanged' && place.candidate >= 0.251) patches++;
      }
    }
  }
  print(
    `planted: ${pairs} pairs, ${planted} damages; listed at their places: ${JSON.stringify(said)}; of ${elsewhere} places elsewhere new or worse: ${falseNew}; by hand: ${unplaced} on no part, ${patches} unchanged as the earlier photo has a candidate there`,
  );
}

if (folder !== undefined && wanted.includes('planted')) await measurePlanted(folder.split(','));
for (const earlier of ['before', 'kept'] as const)
  if (folder !== undefined && wanted.includes('rendered')) await measureRendered(folder, earlier);
await engine.close();
