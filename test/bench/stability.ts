/**
 * How far an answer moves when the same photos are saved again: as JPEG of quality 85, cropped by 5 %, brightened by 6 %.
 * For each folder of photos (a vehicle each) it prints the grade, the damages and the places to check of the original
 * and of each copy; at the end the mean and the largest change of the grade, and how many printed places are wasted.
 *
 *     npx tsx test/bench/stability.ts PHOTOS [--seen FILE]     (FILE keeps what the models saw, for changes of rules alone)
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import sharp, { type Sharp } from 'sharp';
import type { InspectionResults } from '../../src/contract/inspection.ts';
import { computeShareOfSmaller } from '../../src/domain/geometry.ts';
import { createEngine, type PhotoSource, type SeenPhotos } from '../../src/index.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Copies of a photo by name; each keeps its size in pixels, so that none falls below what is accepted. */
const COPIES: Readonly<Record<string, (photo: Sharp, size: { width: number; height: number }) => Sharp>> = {
  original: (photo) => photo.jpeg({ quality: 100, chromaSubsampling: '4:4:4' }),
  jpeg85: (photo) => photo.jpeg({ quality: 85 }),
  cropped: (photo, { width, height }) =>
    photo
      .extract({
        left: Math.round(width * 0.025),
        top: Math.round(height * 0.025),
        width: Math.round(width * 0.95),
        height: Math.round(height * 0.95),
      })
      .resize(width, height)
      .jpeg({ quality: 95 }),
  brightened: (photo) => photo.linear(1.06, 0).jpeg({ quality: 95 }),
};

const {
  values: { seen: kept },
  positionals: [root = ''],
} = parseArgs({ allowPositionals: true, options: { seen: { type: 'string' } } });
const sets = readdirSync(root).filter((name) => statSync(join(root, name)).isDirectory());
const saved: Map<string, unknown> =
  kept !== undefined && existsSync(kept) ? deserialize(readFileSync(kept)) : new Map();
const engine = await createEngine({ models: 'when-needed' });
const folder = mkdtempSync(join(tmpdir(), 'stability-'));

type Results = InspectionResults | null;
/** Inspects a copy of one folder of photos. */
async function inspectCopy(set: string, copy: string): Promise<Results> {
  const files = readdirSync(join(root, set))
    .filter((name) => /\.(jpe?g|png)$/i.test(name))
    .sort();
  const seen: SeenPhotos = new Map();
  const photos: { source: PhotoSource; url: string }[] = [];
  for (const file of files) {
    const path = join(root, set, file);
    const key = `${copy} ${resolve(path)}`;
    const before = saved.get(key);
    const source = {
      kind: 'file',
      path: copy === 'original' ? path : join(folder, `${copy}-${set}-${file}.jpg`),
    } as const;
    if (before !== undefined) seen.set(source, before as never);
    else if (copy !== 'original') {
      const upright = await sharp(path).rotate().toBuffer({ resolveWithObject: true });
      const make = COPIES[copy];
      if (make) await make(sharp(upright.data), upright.info).toFile(source.path);
    }
    photos.push({ source, url: file });
  }
  const { data } = await engine.inspect(
    {
      vehicleId: set,
      photos,
      options: {
        detailed: true,
        hiddenDamage: false,
        region: 'US_MIDWEST',
        sensitivity: 'default',
        minConfidence: null,
      },
    },
    { seen },
  );
  for (const { source } of photos) {
    const one = seen.get(source);
    if (one && source.kind === 'file')
      saved.set(
        `${copy} ${resolve(join(root, set, files[photos.findIndex((photo) => photo.source === source)] ?? ''))}`,
        one,
      );
  }
  if (kept !== undefined) writeFileSync(kept, serialize(saved));
  return data.results;
}

/** So many places are printed for people. */
const PRINTED = 8;

/** Returns how many printed places to check repeat a place that is listed before, or cover a fifth of the photo. */
function countWasted({ damages, to_check: places }: InspectionResults): [wasted: number, printed: number] {
  const printed = places.slice(0, PRINTED);
  const wasted = printed.filter((place, i) => {
    const { coordinates: box } = place.location;
    if (box.width * box.height > 0.2 * box.image_width * box.image_height) return true;
    return [...damages, ...printed.slice(0, i)].some(
      (other) =>
        other.location.part === place.location.part &&
        other.evidence.some((one) =>
          place.evidence.some(
            (own) =>
              own.image_index === one.image_index &&
              computeShareOfSmaller(own.coordinates, one.coordinates) > 0.5,
          ),
        ),
    );
  });
  return [wasted.length, printed.length];
}

const changes: number[] = [];
let [wasted, printed] = [0, 0];
for (const set of sets) {
  let base: number | undefined;
  for (const copy of Object.keys(COPIES)) {
    const results = await inspectCopy(set, copy);
    if (results === null) continue;
    const {
      condition_score: score,
      overall_condition: word,
      damages,
      to_check: places,
      grade_basis,
    } = results;
    base ??= score;
    if (copy !== 'original') changes.push(Math.abs(score - base));
    else {
      const [own, of] = countWasted(results);
      [wasted, printed] = [wasted + own, printed + of];
    }
    print(
      `${set.padEnd(18)} ${copy.padEnd(11)} ${score.toFixed(1).padStart(4)} ${word.padEnd(9)} ${damages.length} damages, ${places.length} to check, ends ${JSON.stringify(grade_basis.if_all_confirmed ?? null)}`,
    );
  }
}
const mean = changes.reduce((sum, one) => sum + one, 0) / Math.max(1, changes.length);
print(
  `grade: moves by ${mean.toFixed(2)} in the mean, ${Math.max(...changes).toFixed(1)} at most, over ${changes.length} copies`,
);
print(`places to check: ${wasted} of ${printed} printed repeat a listed place or cover a fifth of the photo`);
rmSync(folder, { recursive: true, force: true });
await engine.close();
