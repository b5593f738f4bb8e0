/**
 * Measures the stability of inspections: inspects vehicles again from modified copies of their photos (re-encoded, as a
 * messenger sends them, cropped, darkened, scaled down and up). Prints the fraction of findings found again, of the five
 * places to check that are shown those that are shown again (or as certain), the change of the score, and the number of
 * wasted places of the originals: those that repeat a listed one or cover a fifth of the photo.
 *
 *     npm run models:stability -- (LABELS.json | FOLDER)... [--copies jpeg75,crop] [--limit N]
 *
 * Photos with `folder` and `car` are inspected together, as are those of each sub-folder of a FOLDER. A finding is
 * found again if a finding of the copy touches it (IoU 0.1, or half of the smaller box in the larger) in a photo that
 * shows it, whatever its type.
 */
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import type { Damage, InspectionResults } from '../../src/contract/inspection.ts';
import { type Box, computeShareOfSmaller } from '../../src/domain/geometry.ts';
import { createEngine, DEFAULT_OPTIONS } from '../../src/index.ts';
import { MAX_TO_CHECK, sortByPriority } from '../../src/report/content/repair.ts';
import { listToCheckRows } from '../../src/report/finding-rows.ts';
import { parseLabelledPhotos } from './finds/labelled-photos.ts';
import { touches } from './finds/touch.ts';

/** Modification of a photo at its original size unless `longerSide` is less. `cut` is cropped from each side. */
interface Copy {
  readonly quality?: number;
  readonly longerSide?: number;
  readonly cut?: number;
  readonly light?: number;
  readonly scale?: number;
}

const COPIES: Readonly<Record<string, Copy>> = {
  jpeg95: { quality: 95 },
  jpeg85: { quality: 85 },
  jpeg75: { quality: 75 },
  messenger: { longerSide: 1600, quality: 70 },
  crop: { cut: 0.025, light: 1.06 },
  dark: { cut: 0.015, light: 0.94 },
  scaled: { scale: 0.8 },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { copies: { type: 'string' }, limit: { type: 'string' } },
});
/** Paths of each vehicle's photos. */
const vehicles = new Map<string, string[]>();
const addPhoto = (vehicle: string, path: string) =>
  vehicles.set(vehicle, [...(vehicles.get(vehicle) ?? []), path]);
for (const given of positionals)
  if (statSync(given).isDirectory()) {
    for (const photo of readdirSync(given, { recursive: true, encoding: 'utf8' }).sort())
      if (/\.(jpe?g|png)$/i.test(photo)) addPhoto(dirname(join(given, photo)), join(given, photo));
  } else
    for (const { vehicle, file } of parseLabelledPhotos(await readFile(given, 'utf8'), given))
      addPhoto(`${given} ${vehicle ?? file}`, join(dirname(given), file));
const chosen = [...vehicles.values()].slice(0, Number(values.limit ?? vehicles.size));
const engine = await createEngine();

/** A finding in one photo, in fractions of the original photo. */
interface Place {
  readonly photo: string;
  readonly box: Box;
}
interface Find {
  readonly certain: boolean;
  /** True for a certain finding and for the places to check that are shown. */
  readonly shown: boolean;
  readonly places: readonly Place[];
}
interface Answer {
  readonly finds: readonly Find[];
  readonly score: number | null;
  /** Redundant places to check, and the number printed. */
  readonly wasted: readonly [wasted: number, printed: number];
}

async function inspectAgain(photos: (typeof chosen)[number], copy: Copy | undefined): Promise<Answer> {
  const inputs = await Promise.all(
    photos.map(async (path) => ({
      source: { kind: 'bytes' as const, bytes: await makeCopy(path, copy), name: path },
      url: path,
    })),
  );
  const inspection = await engine.inspect({
    photos: inputs,
    vehicleId: 'stability',
    options: DEFAULT_OPTIONS,
    vehicle: {},
  });
  const { results } = inspection.data;
  const shown = sortByPriority(listToCheckRows({ inspection, assessment: null }))
    .slice(0, MAX_TO_CHECK)
    .flatMap(({ found }) => found ?? []);
  return {
    finds: listFindings(results, shown, copy?.cut ?? 0),
    score: results?.condition_score ?? null,
    wasted: results ? countWasted(results, shown) : [0, 0],
  };
}

async function makeCopy(path: string, copy: Copy | undefined): Promise<Uint8Array> {
  if (copy === undefined) return readFile(path);
  const { quality = 92, cut = 0, light = 1, scale = 1, longerSide = Number.POSITIVE_INFINITY } = copy;
  const { data, info } = await sharp(path).rotate().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const [left, top] = [Math.round(width * cut), Math.round(height * cut)];
  const small = await sharp(data, { raw: info })
    .extract({ left, top, width: width - 2 * left, height: height - 2 * top })
    .resize(Math.round(width * scale), Math.round(height * scale), { fit: 'fill' })
    .linear(light, 0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const size = Math.min(1, longerSide / Math.max(width, height));
  return sharp(small.data, { raw: small.info })
    .resize(Math.round(width * size), Math.round(height * size), { fit: 'fill' })
    .jpeg({ quality })
    .toBuffer();
}

function listFindings(results: InspectionResults | null, shown: readonly Damage[], cut: number): Find[] {
  const isShown = (one: Damage) => shown.some(({ damage_id: id }) => id === one.damage_id);
  const place = ({ evidence }: Pick<Damage, 'evidence'>): Place[] =>
    evidence.map(
      ({ image_url: photo, coordinates: { image_width: across, image_height: down, ...box } }) => ({
        photo,
        box: {
          x: cut + (box.x / across) * (1 - 2 * cut),
          y: cut + (box.y / down) * (1 - 2 * cut),
          width: (box.width / across) * (1 - 2 * cut),
          height: (box.height / down) * (1 - 2 * cut),
        },
      }),
    );
  return [
    ...(results?.damages ?? []).map((one) => ({ certain: true, shown: true, places: place(one) })),
    ...(results?.to_check ?? []).map((one) => ({ certain: false, shown: isShown(one), places: place(one) })),
  ];
}

/** Counts the printed places to check that repeat a listed one or cover a fifth of the photo. */
function countWasted(
  { damages }: InspectionResults,
  printed: readonly Damage[],
): [wasted: number, printed: number] {
  const repeats = (one: Damage, other: Damage) =>
    one.location.part === other.location.part &&
    one.evidence.some((own) =>
      other.evidence.some(
        (its) =>
          its.image_index === own.image_index &&
          computeShareOfSmaller(own.coordinates, its.coordinates) > 0.5,
      ),
    );
  const wasted = printed.filter((place, i) => {
    const { coordinates: box } = place.location;
    const isLarge = box.width * box.height > 0.2 * box.image_width * box.image_height;
    return isLarge || [...damages, ...printed.slice(0, i)].some((other) => repeats(place, other));
  });
  return [wasted.length, printed.length];
}

const isAgain = (find: Find, again: Find) =>
  find.places.some((a) => again.places.some((b) => a.photo === b.photo && touches(a.box, b.box)));

const originals: Answer[] = [];
for (const photos of chosen) originals.push(await inspectAgain(photos, undefined));
const names = (values.copies ?? Object.keys(COPIES).join(',')).split(',');
const share = (some: number, all: number) =>
  `${some} of ${all} (${Math.round((100 * some) / Math.max(1, all))} %)`;
for (const name of names) {
  const copy = COPIES[name];
  if (copy === undefined) throw new Error(`no copy ${name}; there are ${Object.keys(COPIES).join(', ')}`);
  const pairs: { find: Find; again: readonly Find[] }[] = [];
  const moves: number[] = [];
  for (const [at, photos] of chosen.entries()) {
    const before = originals[at] as Answer;
    const after = await inspectAgain(photos, copy);
    for (const find of before.finds)
      pairs.push({ find, again: after.finds.filter((one) => isAgain(find, one)) });
    if (before.score !== null && after.score !== null) moves.push(Math.abs(after.score - before.score));
  }
  const certain = pairs.filter(({ find }) => find.certain);
  const toCheck = pairs.filter(({ find }) => !find.certain);
  const found = (list: typeof pairs) => list.filter(({ again }) => again.length > 0).length;
  const level = (list: typeof pairs) =>
    list.filter(({ find, again }) => again.some((one) => one.certain === find.certain)).length;
  const shown = toCheck.filter(({ find }) => find.shown);
  const shownAgain = shown.filter(({ again }) => again.some((one) => one.shown)).length;
  const mean = moves.reduce((sum, move) => sum + move, 0) / Math.max(1, moves.length);
  process.stdout.write(
    `${name.padEnd(9)} certain again ${share(found(certain), certain.length)}, as certain ${share(level(certain), certain.length)}; to check again ${share(found(toCheck), toCheck.length)}, as such ${share(level(toCheck), toCheck.length)}; shown again ${share(shownAgain, shown.length)}; score moves by ${mean.toFixed(2)} in the mean, ${Math.max(0, ...moves).toFixed(1)} at most\n`,
  );
}
const sum = (at: 0 | 1) => originals.reduce((all, { wasted }) => all + wasted[at], 0);
process.stdout.write(
  `places to check of the originals: ${sum(0)} of ${sum(1)} printed repeat a listed place or cover a fifth of the photo\n`,
);
await engine.close();
