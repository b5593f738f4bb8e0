/**
 * Measures `vehi compare` on visits with known changes and writes the table of docs/using/compare.md: the demo vehicle,
 * unchanged photos as if retaken, and labelled photos with damage painted over in the earlier one or drawn into the
 * later, which the handover does not list, or lists as places to check, and visits compared with themselves. Continues
 * from an earlier run's file.
 *
 *     npm run measure:compare -- ../shared/photos ../shared/photos-dev /tmp/compare.jsonl [PAIRS]
 *
 * PAIRS is a folder that fixtures/vehicle/render/pairs.py made: one vehicle on two days, under another sky.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { decodeAny } from '../../models/evaluate/decode-any.ts';
import { parseLabelledPhotos } from '../../models/evaluate/finds/labelled-photos.ts';
import type { Damage } from '../../src/contract/inspection.ts';
import { CHANGES, type Change } from '../../src/domain/compare/changes.ts';
import type { PlaceRule } from '../../src/domain/compare/decide-place.ts';
import type { DamageType } from '../../src/domain/damage.ts';
import { type Box, clampToPixels, computeShareOfSmaller } from '../../src/domain/geometry.ts';
import type { RgbImage } from '../../src/domain/photo.ts';
import type { PartMap } from '../../src/domain/sight/detection.ts';
import type { ComparedPlace } from '../../src/engine/compare/comparison.ts';
import {
  createEngine,
  DEFAULT_OPTIONS,
  findPhotos,
  type InspectionEnvelope,
  type PhotoInput,
  type PhotoSource,
} from '../../src/index.ts';
import { createRandom, makePlantedPair, otherThan, project } from './planted-pairs.ts';

/** An inspection with the photos it was made of. */
interface Visit {
  readonly inspection: InspectionEnvelope;
  readonly photos: readonly PhotoInput[];
  openPhoto(photo: { readonly url: string }): Promise<PhotoSource | null>;
}

/** A certain damage of a measured comparison: the row of the table it belongs to, and what was said of it. */
interface Measured {
  readonly row: string;
  readonly change: Change;
  readonly rule: PlaceRule;
  /** Number of the comparison within its job. */
  readonly comparison: number;
}

const [folder = '../shared/photos', dev = '../shared/photos-dev', file = '/tmp/compare.jsonl', rendered] =
  process.argv.slice(2);
const engine = await createEngine({ models: 'when-needed' });
const jobs = new Map<string, readonly Measured[]>(
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [],
);

/** Runs a job unless an earlier run did. */
async function run(name: string, measure: () => Promise<readonly Measured[]>): Promise<void> {
  if (jobs.has(name)) return;
  const places = await measure();
  jobs.set(name, places);
  appendFileSync(file, `${JSON.stringify([name, places])}\n`);
}

async function visit(
  vehicleId: string,
  photos: readonly PhotoInput[],
  sensitivity = DEFAULT_OPTIONS.sensitivity,
): Promise<Visit> {
  const sources = new Map(photos.map(({ url, source }) => [url, source]));
  const inspection = await engine.inspect({
    vehicleId,
    photos,
    options: { ...DEFAULT_OPTIONS, sensitivity },
  });
  return { inspection, photos, openPhoto: async ({ url }) => sources.get(url) ?? null };
}

const compare = async (before: Visit, after: Visit): Promise<readonly ComparedPlace[]> =>
  (await engine.compare(before, after)).places;

const label = (row: string, places: readonly ComparedPlace[], comparison = 0): Measured[] =>
  places.filter(({ certain }) => certain).map(({ change, rule }) => ({ row, change, rule, comparison }));

const visits = new Map<string, Promise<Visit>>();
/** Returns the visit of a name, made at the first call. */
function once(name: string, make: () => Promise<Visit>): Promise<Visit> {
  const made = visits.get(name) ?? make();
  visits.set(name, made);
  return made;
}

const open = ({ data, width, height }: RgbImage) => sharp(data, { raw: { width, height, channels: 3 } });

type Copy = (photo: RgbImage) => Sharp | Promise<Sharp>;

/** Simulated retakes: quality, framing, light, camera position, focus. */
const COPIES: Readonly<Record<string, Copy>> = {
  'JPEG quality 85': (photo) => open(photo).jpeg({ quality: 85 }),
  'JPEG quality 70': (photo) => open(photo).jpeg({ quality: 70 }),
  'cut by 5 %, lighter': (photo) => {
    const { width, height } = photo;
    const kept = { width: Math.round(width * 0.95), height: Math.round(height * 0.95) };
    return open(photo)
      .extract({ left: Math.round(width * 0.03), top: Math.round(height * 0.02), ...kept })
      .resize(width, height, { fit: 'fill' })
      .linear(1.06, 0)
      .jpeg({ quality: 88 });
  },
  darker: (photo) => open(photo).linear(0.9, 0).jpeg({ quality: 92 }),
  'turned and sheared': async (photo) => {
    const { width, height } = photo;
    // Rotated by two degrees, sheared by three hundredths, cropped to the frame.
    const { data, info } = await open(photo)
      .affine([1.06, 0.035, -0.02, 1.03], { background: '#727272' })
      .png()
      .toBuffer({ resolveWithObject: true });
    const [left, top] = [Math.round((info.width - width) / 2), Math.round((info.height - height) / 2)];
    return sharp(data).extract({ left, top, width, height }).linear(1.04, -3).jpeg({ quality: 90 });
  },
  'out of focus': async (photo) => {
    const reduced = open(photo).resize(Math.round(photo.width * 0.75));
    const small = await reduced.jpeg({ quality: 90 }).toBuffer();
    return sharp(small).resize(photo.width, photo.height, { fit: 'fill' }).jpeg({ quality: 90 });
  },
};

/** Retakes at random: cropped by up to 8 %, corners moved by up to 5 %, 10 % lighter or darker, JPEG 60 to 95. */
function retake(picture: RgbImage, random: () => number): Sharp {
  const { width, height } = picture;
  const light = 0.9 + random() * 0.2;
  const kept = 1 - random() * 0.08;
  const [left, top] = [random() * (1 - kept) * width, random() * (1 - kept) * height];
  // Each corner of the crop moves by up to 5 % of the sides, but never outside the photo.
  const corner = (x: number, y: number) => ({
    x: Math.min(width - 1, Math.max(0, left + (x * kept + (random() - 0.5) * 0.1 * kept) * width)),
    y: Math.min(height - 1, Math.max(0, top + (y * kept + (random() - 0.5) * 0.1 * kept) * height)),
  });
  return open(project(picture, [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]))
    .linear(light, 0)
    .jpeg({ quality: 60 + Math.round(random() * 35) });
}

const toInput = (url: string, bytes: Uint8Array): PhotoInput => ({
  url,
  source: { kind: 'bytes', bytes, name: url },
});

/** Photos as if retaken, in the set's order. */
async function retakeAll(photos: readonly PhotoInput[], name: string, copy: Copy): Promise<PhotoInput[]> {
  const list: PhotoInput[] = [];
  for (const photo of photos) {
    if (photo.source.kind !== 'file') continue;
    const taken = await copy((await decodeAny(photo.source.path)).raster);
    const url = `${name}/${basename(photo.url).replace(/\.\w+$/, '.jpg')}`;
    list.push({ ...photo, ...toInput(url, await taken.toBuffer()) });
  }
  return list;
}

const DEMO = ['', 'after', 'clean'].map((state) => join('fixtures/vehicle', state));

async function measureDemo(): Promise<void> {
  const [damaged = '', after = '', clean = ''] = DEMO;
  const open = (path: string) =>
    once(path, async () => {
      const { vehicleId, photos } = await findPhotos([path]);
      return visit(vehicleId, photos);
    });
  for (const [row, earlier, later] of [
    ['demo, handover to return (one new dent)', damaged, after],
    ['demo, return to handover (one repaired dent)', after, damaged],
    ['demo, clean to damaged (all new)', clean, damaged],
    ['demo, damaged to clean (all repaired)', damaged, clean],
    ['demo, against itself', damaged, damaged],
  ] as const)
    await run(row, async () => label(row, await compare(await open(earlier), await open(later))));
}

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

interface Known {
  readonly type: string;
  readonly box: Box;
}

/** Lists damages of a visit's photo by hand, in place of what the models list there. */
async function listByHand(
  visited: Visit,
  known: readonly Known[],
): Promise<{ readonly visited: Visit; readonly ids: readonly (string | undefined)[] }> {
  const [photo] = visited.inspection.data.images;
  const source = visited.photos[0]?.source;
  let { inspection } = visited;
  const ids: (string | undefined)[] = [];
  for (const { type, box } of known) {
    if (!photo || !source) continue;
    const { x, y, width, height } = clampToPixels(box, photo);
    const added = {
      decision: 'add' as const,
      image_index: 0,
      box: { x, y, width, height },
      type: type === 'lamp_damage' ? ('glass_damage' as const) : (type as DamageType),
    };
    const { review: _, ...unreviewed } = inspection as InspectionEnvelope & { review?: unknown };
    const listed = await engine
      .review(unreviewed, [added], { mapOf: async () => engine.segmentParts(source) })
      .catch(() => null);
    const id = listed?.data.results?.damages.find(({ evidence }) =>
      evidence.some(({ coordinates: at }) => at.x === x && at.y === y && at.width === width),
    )?.damage_id;
    if (listed && id !== undefined) inspection = listed;
    ids.push(id);
  }
  return { visited: { ...visited, inspection }, ids };
}

/** Lists certain damages of a visit as places to check instead. */
function doubt(visited: Visit, ids: readonly (string | undefined)[]): Visit {
  const inspection = structuredClone(visited.inspection) as InspectionEnvelope;
  const { results } = inspection.data;
  if (!results) return visited;
  const isDoubted = ({ damage_id: id }: Damage) => ids.includes(id);
  const toCheck = [...results.to_check, ...results.damages.filter(isDoubted)];
  const damages = results.damages.filter((one) => !isDoubted(one));
  Object.assign(results, { damages, to_check: toCheck });
  return { ...visited, inspection };
}

/** Pairs of one photo each per set, the random seed, and every how many labelled photos one is taken. */
const [PAIRS, SEED, SPREAD] = [40, 40, 2];

async function measurePlanted(): Promise<void> {
  const labelled = [dev, folder].flatMap((set) => {
    const path = join(set, 'labels.json');
    return parseLabelledPhotos(readFileSync(path, 'utf8'), path)
      .map((photo) => ({ path: join(set, photo.file), damages: photo.damages.filter(({ sure }) => sure) }))
      .filter(({ damages }) => damages.length > 0);
  });
  for (const [set, from] of [
    ['limits chosen on them', 0],
    ['others', 1],
  ] as const) {
    let pairs = 0;
    for (const [at, { path, damages }] of labelled.entries()) {
      if (pairs === PAIRS || at % SPREAD !== from) continue;
      const { raster: picture } = await decodeAny(path);
      const map = await engine.segmentParts({ kind: 'file', path });
      const pair = await makePlantedPair(picture, damages, lieOnPanel(map, picture), createRandom(SEED + at));
      // One pair in three has no new damage.
      if (pair.planted.length === 0 && at % 3 > 0) continue;
      pairs++;
      const planted = async (day: string, bytes: Buffer, known: readonly Known[]) =>
        listByHand(await visit('planted', [toInput(`${day}/${at}.jpg`, bytes)]), known);
      await run(`planted ${set} ${at}`, async () => {
        const before = await planted('before', pair.before, []);
        const after = await planted('after', pair.after, pair.planted);
        const known = pair.planted.map(({ type, earlierBox }) => ({ type, box: earlierBox }));
        const earlier = await listByHand(before.visited, known);
        const doubted = doubt(earlier.visited, earlier.ids);
        const measured: Measured[] = [];
        for (const [comparison, [listing, handover]] of (
          [
            ['not listed at handover', before.visited],
            ['to check at handover', doubted],
          ] as const
        ).entries()) {
          const places = await compare(handover, after.visited);
          // The models may list a planted damage as well.
          const isPlanted = ({ after: later }: ComparedPlace) =>
            later !== null &&
            (after.ids.includes(later.damage_id) ||
              pair.planted.some(({ box }) =>
                later.evidence.some(({ coordinates: at }) => computeShareOfSmaller(at, box) > 0.7),
              ));
          for (const [index, id] of after.ids.entries()) {
            const one = pair.planted[index];
            const kind = one?.drawn ? `${one.type}, drawn` : 'real, painted over';
            const place = places.find((shown) => shown.after?.damage_id === id);
            if (place) measured.push(...label(`planted, ${set}, ${listing}: ${kind}`, [place], comparison));
          }
          const elsewhere = places.filter((place) => !isPlanted(place));
          measured.push(...label(`elsewhere in the planted pairs, ${listing}`, elsewhere, comparison));
        }
        for (const [index, one] of [before.visited, after.visited, doubted].entries())
          measured.push(...label('against itself', await compare(one, one), index + 2));
        return measured;
      });
      const { beforeWithOthers } = pair;
      if (beforeWithOthers === null) continue;
      await run(`another kind ${set} ${at}`, async () => {
        const drawn = pair.planted.filter((one) => one.drawn);
        const known = drawn.map(({ type, earlierBox }) => ({ type: otherThan(type).type, box: earlierBox }));
        const before = await planted('other', beforeWithOthers, known);
        const after = await planted('after', pair.after, drawn);
        const places = await compare(before.visited, after.visited);
        return after.ids.flatMap((id, index) => {
          const place = places.find((shown) => shown.after?.damage_id === id);
          const row = `planted, ${set}, another kind at handover: ${drawn[index]?.type}`;
          return place ? label(row, [place]) : [];
        });
      });
    }
  }
}

const sets = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());

async function measureCopies(): Promise<void> {
  for (const { name } of sets) {
    const { photos } = await findPhotos([join(folder, name)]);
    const original = () => once(name, () => visit(name, photos));
    for (const [kind, copy] of Object.entries(COPIES))
      await run(`copy ${name} ${kind}`, async () => {
        const again = await visit(name, await retakeAll(photos, kind, copy));
        return label(`retaken: ${kind}`, await compare(await original(), again));
      });
    await run(`sensitivity ${name}`, async () => {
      const places = await compare(await original(), await visit(name, photos, 'high'));
      return label('the same photos, another sensitivity', places);
    });
  }
}

/** Comparisons of a visit with itself, each with another record of the same photos. */
const SELF_COMPARISONS = 1000;

/**
 * Compares visits with records of the same photos that differ at random: another sensitivity, photos left out or in
 * another order, findings left out, certain ones as places to check and the reverse, other types and moved boxes.
 */
async function measureSelf(): Promise<void> {
  const folders = [...DEMO, ...sets.map(({ name }) => join(folder, name))];
  for (const [at, path] of folders.entries())
    await run(`self ${basename(path)} ${at}`, async () => {
      const { photos } = await findPhotos([path]);
      const records: Visit[] = [];
      for (const sensitivity of ['low', 'default', 'high'] as const)
        records.push(await visit('self', photos, sensitivity));
      const measured: Measured[] = [];
      for (let count = 0; count < SELF_COMPARISONS / folders.length; count++) {
        const random = createRandom(SEED + 1000 * at + count);
        const pick = () => records[Math.floor(random() * records.length)] as Visit;
        const places = await compare(vary(pick(), random), vary(pick(), random));
        measured.push(...label('the same photos, another record', places, count));
      }
      return measured;
    });
}

/** Varies the record of a visit at random; its photos stay the same, at least half of them. */
function vary(visited: Visit, random: () => number): Visit {
  const inspection = structuredClone(visited.inspection) as InspectionEnvelope;
  const { results, images } = inspection.data;
  if (!results) return visited;
  const share = random() < 0.7 ? 1 : 0.5 + random() / 2;
  const kept = images.filter(() => random() < share).sort(() => random() - 0.5);
  const findings = [...results.damages, ...results.to_check]
    .map((damage) => ({
      damage: {
        ...damage,
        type: random() < 0.1 ? ('dent' as const) : damage.type,
        evidence: damage.evidence
          .filter(({ image_index: index }) => kept.some((photo) => photo.index === index))
          .map((shown) => {
            const { x, y, width, height } = shown.coordinates;
            const by = Math.round((random() - 0.5) * 0.2 * Math.min(width, height));
            const moved = { ...shown.coordinates, x: Math.max(0, x + by), y: Math.max(0, y + by) };
            return { ...shown, coordinates: moved };
          }),
      },
      certain: random() < 0.1 ? !results.damages.includes(damage) : results.damages.includes(damage),
    }))
    .filter(({ damage }) => damage.evidence.length > 0 && random() < 0.9);
  const list = (certain: boolean) =>
    findings.filter((one) => one.certain === certain).map((one) => one.damage);
  Object.assign(results, { damages: list(true), to_check: list(false) });
  Object.assign(inspection.data, { images: kept });
  return { ...visited, inspection };
}

/** Number of photos that are retaken at random. */
const RETAKES = 1080;

async function measureRetakes(): Promise<void> {
  const found = await Promise.all(sets.map(({ name }) => findPhotos([join(folder, name)])));
  const photos = found.flatMap(({ photos: list }) => list);
  for (let count = 0; count < RETAKES; count++) {
    const [round, at] = [Math.floor(count / photos.length), count % photos.length];
    const photo = photos[at] as PhotoInput;
    await run(`retake ${photo.url} ${round}`, async () => {
      const random = createRandom(SEED + 1000 * at + round);
      const again = await retakeAll([photo], `again-${round}`, (picture) => retake(picture, random));
      const original = await once(photo.url, () => visit('retaken', [photo]));
      return label('single photos retaken at random', await compare(original, await visit('retaken', again)));
    });
  }
}

/** Compares rendered pairs of two days: the damage is new, or there on both days. */
async function measureRendered(pairs: string): Promise<void> {
  const names = readdirSync(pairs).filter((one) => existsSync(join(pairs, one, 'kept.json')));
  for (const name of names)
    for (const [row, earlier, known] of [
      ['all new', 'before.jpg', null],
      ['on both days', 'kept.jpg', 'kept.json'],
    ] as const)
      await run(`another sky ${name} ${earlier}`, async () => {
        const path = (file: string) => join(pairs, name, file);
        const visitOf = (file: string) =>
          visit('rendered', [{ url: path(file), source: { kind: 'file', path: path(file) } }]);
        const list = async (file: string, truth: string | null) => {
          const damages: readonly Known[] =
            truth === null ? [] : JSON.parse(readFileSync(path(truth), 'utf8'));
          return { ...(await listByHand(await visitOf(file), damages)), damages };
        };
        const [before, after] = [await list(earlier, known), await list('after.jpg', 'truth.json')];
        const places = await compare(before.visited, after.visited);
        const isListed = ({ after: later }: ComparedPlace) =>
          later !== null && after.ids.includes(later.damage_id);
        const isElsewhere = (place: ComparedPlace) =>
          !after.damages.some(({ box }) =>
            place.after?.evidence.some(({ coordinates: at }) => computeShareOfSmaller(at, box) > 0.3),
          );
        return [
          ...label(`another sky, damage ${row}`, places.filter(isListed)),
          ...label(`another sky, damage ${row}, elsewhere`, places.filter(isElsewhere)),
        ];
      });
}

/** Writes the table of what was said, a row per kind of pair, and how often each rule decided. */
function writeTable(): string {
  const places = [...jobs].flatMap(([job, list]) => list.map((place) => ({ ...place, job })));
  const rows = [...new Set(places.map(({ row }) => row))].sort();
  const shown = CHANGES.filter((change) => change !== 'to_check');
  const count = (list: typeof places, change: Change) =>
    String(list.filter((one) => one.change === change).length);
  const words = shown.map((change) => change.replaceAll('_', ' '));
  const ruled = [...new Set(places.map(({ rule }) => rule))].sort();
  return [
    `| Pair | Comparisons | Damages | ${words.join(' | ')} |`,
    `|---|---|---|${words.map(() => '---|').join('')}`,
    ...rows.map((row) => {
      const list = places.filter((one) => one.row === row);
      const comparisons = new Set(list.map(({ job, comparison }) => `${job} ${comparison}`)).size;
      return `| ${row} | ${comparisons} | ${list.length} | ${shown.map((change) => count(list, change)).join(' | ')} |`;
    }),
    '',
    '| Rule | decides |',
    '|---|---|',
    ...ruled.map((rule) => `| \`${rule}\` | ${places.filter((one) => one.rule === rule).length} |`),
  ].join('\n');
}

const DOCUMENT = 'docs/using/compare.md';
const [START, END] = ['<!-- measured -->', '<!-- /measured -->'];

await measureDemo();
await measurePlanted();
await measureSelf();
await measureCopies();
await measureRetakes();
if (rendered !== undefined) await measureRendered(rendered);
await engine.close();
const document = readFileSync(DOCUMENT, 'utf8');
const [head = '', rest = ''] = document.split(START);
const tail = rest.slice(rest.indexOf(END));
writeFileSync(DOCUMENT, `${head}${START}\n${writeTable()}\n${tail}`);
process.stdout.write(`${writeTable()}\n`);
