/**
 * Whether the same photos say the same twice: inspects vehicles again from copies of their photos, re-encoded, cropped,
 * brightened, darkened, scaled down and up, and prints what of the finds is found again, and how far the score moves.
 *
 *     npm run models:stability -- LABELS.json... [--copies jpeg70,crop] [--limit N]
 *
 * Photos with `folder` and `car` are inspected together. A find is found again where a find of the copy touches it
 * (IoU 0.1, or half of the smaller box in the larger) in a photo that shows it, whatever it is called.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import type { Damage, InspectionResults } from '../../src/contract/inspection.ts';
import type { Box } from '../../src/domain/geometry.ts';
import { type LabelledPhoto, parseLabelledPhotos } from '../../src/evaluate/finds/labelled-photos.ts';
import { touches } from '../../src/evaluate/finds/touch.ts';
import { createEngine, DEFAULT_OPTIONS } from '../../src/index.ts';

/** How a photo is made again, at its own size: smaller ones would be refused. `cut` of each side is lost. */
interface Copy {
  readonly quality?: number;
  readonly cut?: number;
  readonly light?: number;
  readonly scale?: number;
}

const COPIES: Readonly<Record<string, Copy>> = {
  jpeg85: { quality: 85 },
  jpeg70: { quality: 70 },
  crop: { cut: 0.025, light: 1.06 },
  dark: { cut: 0.015, light: 0.94 },
  scaled: { scale: 0.8 },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { copies: { type: 'string' }, limit: { type: 'string' } },
});
const vehicles = new Map<string, { folder: string; photo: LabelledPhoto }[]>();
for (const labels of positionals)
  for (const photo of parseLabelledPhotos(await readFile(labels, 'utf8'), labels)) {
    const name = `${labels} ${photo.vehicle ?? photo.file}`;
    vehicles.set(name, [...(vehicles.get(name) ?? []), { folder: dirname(labels), photo }]);
  }
const chosen = [...vehicles.values()].slice(0, Number(values.limit ?? vehicles.size));
const engine = await createEngine();

/** A find in one photo, in shares of the original photo. */
interface Place {
  readonly photo: string;
  readonly box: Box;
}
interface Find {
  readonly certain: boolean;
  readonly places: readonly Place[];
}
interface Answer {
  readonly finds: readonly Find[];
  readonly score: number | null;
}

async function inspectAgain(photos: (typeof chosen)[number], copy: Copy | undefined): Promise<Answer> {
  const inputs = await Promise.all(
    photos.map(async ({ folder, photo }) => ({
      source: {
        kind: 'bytes' as const,
        bytes: await makeCopy(join(folder, photo.file), copy),
        name: photo.file,
      },
      url: photo.file,
    })),
  );
  const { data } = await engine.inspect({
    photos: inputs,
    vehicleId: 'stability',
    options: DEFAULT_OPTIONS,
    vehicle: {},
  });
  return { finds: listFinds(data.results, copy?.cut ?? 0), score: data.results?.condition_score ?? null };
}

async function makeCopy(path: string, copy: Copy | undefined): Promise<Uint8Array> {
  if (copy === undefined) return readFile(path);
  const { quality = 92, cut = 0, light = 1, scale = 1 } = copy;
  const { data, info } = await sharp(path).rotate().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const [left, top] = [Math.round(width * cut), Math.round(height * cut)];
  const small = await sharp(data, { raw: info })
    .extract({ left, top, width: width - 2 * left, height: height - 2 * top })
    .resize(Math.round(width * scale), Math.round(height * scale), { fit: 'fill' })
    .linear(light, 0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return sharp(small.data, { raw: small.info })
    .resize(width, height, { fit: 'fill' })
    .jpeg({ quality })
    .toBuffer();
}

function listFinds(results: InspectionResults | null, cut: number): Find[] {
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
    ...(results?.damages ?? []).map((one) => ({ certain: true, places: place(one) })),
    ...(results?.to_check ?? []).map((one) => ({ certain: false, places: place(one) })),
  ];
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
  const mean = moves.reduce((sum, move) => sum + move, 0) / Math.max(1, moves.length);
  process.stdout.write(
    `${name.padEnd(8)} certain again ${share(found(certain), certain.length)}, as certain ${share(level(certain), certain.length)}; to check again ${share(found(toCheck), toCheck.length)}, as such ${share(level(toCheck), toCheck.length)}; score moves by ${mean.toFixed(2)} in the mean, ${Math.max(0, ...moves).toFixed(1)} at most\n`,
  );
}
await engine.close();
