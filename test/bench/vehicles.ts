/**
 * Measures how photos are grouped by vehicle: of each vehicle of a labelled set alone, of its folders, and of mixed
 * folders made of its vehicles, one after the other and in random order.
 *
 *     npx tsx test/bench/vehicles.ts LABELS.json      (photos with `folder` and `car`)
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decodeAny } from '../../models/evaluate/decode-any.ts';
import { parseLabelledPhotos } from '../../models/evaluate/finds/labelled-photos.ts';
import { type Appearance, groupByVehicle, measureAppearance } from '../../src/domain/sight/vehicles.ts';
import { resizeRgb } from '../../src/images/read/resize-rgb.ts';
import { shippedModelDir } from '../../src/index.ts';
import { groupBy } from '../../src/lib/lists.ts';
import { createRandom } from '../../src/lib/random.ts';
import { createVision } from '../../src/vision/vision.ts';

interface Shown {
  readonly folder: string;
  readonly vehicle: string;
  readonly appearance: Appearance;
}

const MIXED_FOLDERS = 60;
/** A long walk-around: the photos of one vehicle this many times. */
const REPEATS = 4;

const shown = await look(process.argv[2] ?? '');

async function look(path: string): Promise<readonly Shown[]> {
  const vision = await createVision({ modelDir: shippedModelDir(), resize: resizeRgb });
  const seen: Shown[] = [];
  for (const { file, vehicle = file } of parseLabelledPhotos(readFileSync(path, 'utf8'), path)) {
    const picture = await decodeAny(join(dirname(path), file));
    const appearance = measureAppearance(picture.raster, await vision.findParts(picture));
    const takenAt = await vision.readPrintedTime(picture);
    seen.push({ folder: dirname(file), vehicle, appearance: { ...appearance, takenAt } });
  }
  await vision.close();
  return seen;
}

const vehicles = [...groupBy(shown, ({ vehicle }) => vehicle).values()];
const folders = [...groupBy(shown, ({ folder }) => folder).values()];

/** Draws folders of two to five vehicles, the photos of each one after the other. */
function mix(count: number, random: () => number): readonly (readonly Shown[])[] {
  return Array.from({ length: count }, (_, at) =>
    shuffle(vehicles, random)
      .slice(0, 2 + (at % 4))
      .flat(),
  );
}

function shuffle<T>(list: readonly T[], random: () => number): readonly T[] {
  return list
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** Prints the shares of the pairs of photos that are put together and apart as their vehicles are. */
function report(name: string, sets: readonly (readonly Shown[])[]): void {
  const pairs = sets.flatMap((set) => {
    const groups = groupByVehicle(set.map(({ appearance }) => appearance));
    const groupOf = (index: number) => groups.findIndex((group) => group.includes(index));
    return set.flatMap((one, at) =>
      set.slice(at + 1).map((other, after) => ({
        isOne: one.vehicle === other.vehicle,
        isTogether: groupOf(at) === groupOf(at + 1 + after),
      })),
    );
  });
  const share = (isOne: boolean) => {
    const asked = pairs.filter((pair) => pair.isOne === isOne);
    const right = asked.filter((pair) => pair.isTogether === isOne).length;
    return `${right} of ${asked.length} (${((100 * right) / Math.max(1, asked.length)).toFixed(1)} %)`;
  };
  const counts = sets.map((set) => {
    const found = groupByVehicle(set.map(({ appearance }) => appearance)).length;
    return found - new Set(set.map(({ vehicle }) => vehicle)).size;
  });
  const [exact, over] = [0, 1].map((sign) => counts.filter((off) => Math.sign(off) === sign).length);
  const counted = `vehicles counted right in ${exact} of ${sets.length}, too many in ${over}`;
  process.stdout.write(`${name}: together ${share(true)}, apart ${share(false)}; ${counted}\n`);
}

const countSplit = (sets: readonly (readonly Shown[])[]) =>
  sets.filter((set) => groupByVehicle(set.map(({ appearance }) => appearance)).length > 1).length;
const long = vehicles.map((photos) => Array.from({ length: REPEATS }, () => photos).flat());
const random = createRandom(3);
const disordered = long.map((photos) => shuffle(photos, random));
const repeated = `${countSplit(long)} split, in random order ${countSplit(disordered)}`;
const alone = `${shown.length} photos of ${vehicles.length} vehicles: ${countSplit(vehicles)} split`;
process.stdout.write(`${alone}; each ${REPEATS} times in a row: ${repeated}\n`);
report('folders', folders);
report('mixed folders', mix(MIXED_FOLDERS, createRandom(1)));
report('mixed folders, other seed', mix(200, createRandom(2)));
report(
  'mixed folders in random order',
  mix(MIXED_FOLDERS, random).map((set) => shuffle(set, random)),
);
