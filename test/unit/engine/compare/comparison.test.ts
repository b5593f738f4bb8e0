// @module-tag slow: photos are drawn and compared
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Damage, InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import type { Change } from '../../../../src/domain/compare/changes.ts';
import { findKeyPoints, type KeyPoints } from '../../../../src/domain/compare/keypoints.ts';
import type { Box } from '../../../../src/domain/geometry.ts';
import type { RgbImage } from '../../../../src/domain/photo.ts';
import type { Visit } from '../../../../src/engine/compare/album.ts';
import { type Comparison, compareVisits } from '../../../../src/engine/compare/comparison.ts';
import type { ComparisonDeps } from '../../../../src/engine/ports.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';
import { DARKEST, drawTexture, plant, retake } from '../../../helpers/photos/textured.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const SIZE = { width: 640, height: 480 };
const clean = drawTexture(SIZE.width, SIZE.height, 1);
const again = (picture: RgbImage) => retake(picture, [1.04, 0.02, -18, -0.015, 1.03, -4], 0.93);
const ONE: Box = { x: 300, y: 220, width: 40, height: 30 };
const TWO: Box = { x: 150, y: 300, width: 36, height: 36 };
const damaged = (picture: RgbImage, box: Box) =>
  plant(picture, { x: box.x + 6, y: box.y + 6, width: box.width - 12, height: box.height - 12 });
/** Where a box of the first photos is in those taken again. */
const moved = ({ x, y, width, height }: Box): Box => ({
  x: Math.round(1.04 * x + 0.02 * y - 18),
  y: Math.round(-0.015 * x + 1.03 * y - 4),
  width: Math.round(1.04 * width),
  height: Math.round(1.03 * height),
});

interface Shown {
  readonly picture: RgbImage;
  readonly finds?: readonly Box[];
  /** Further boxes of the first find, with their confidence. */
  readonly joined?: readonly (readonly [Box, number])[];
  /** Places to check. */
  readonly possible?: readonly Box[];
  readonly file?: string;
}

const pictures = new Map<string, RgbImage>();
/** Key points by the picture: the laws draw the same few again and again. */
const keyPoints = new Map<string, KeyPoints>();
const hashOf = (data: Uint8Array) => createHash('sha1').update(data).digest('hex');
const LIMITS = { certain: 0.7, toCheck: 0.25 };
const deps: ComparisonDeps = {
  reader: {
    async read(source) {
      const raster = pictures.get(source.kind === 'bytes' ? source.name : '');
      if (!raster) throw new Error('no such picture');
      const facts = { format: 'jpeg', bytes: 1, sha256: '', size: SIZE } as const;
      return { ok: true, photo: { facts, raster, issues: [], perceptualHash: 0n } };
    },
  },
  vision: {
    limits: { low: LIMITS, default: LIMITS, high: LIMITS },
    findParts: async () => partGrid('DD', 'DD'),
    async findPoints(picture) {
      const known = keyPoints.get(hashOf(picture.data));
      const found = known ?? findKeyPoints(picture, { width: 1, height: 1, allowed: Uint8Array.of(1) });
      keyPoints.set(hashOf(picture.data), found);
      return found;
    },
    // As the classifier would: how much of the box is planted.
    async classifyAt({ raster }, boxes) {
      return boxes.map((box) => {
        let dark = 0;
        for (let y = Math.round(box.y); y < box.y + box.height; y++)
          for (let x = Math.round(box.x); x < box.x + box.width; x++)
            if ((raster.data[3 * (y * raster.width + x)] ?? 255) < 0.75 * DARKEST) dark++;
        return dark / (box.width * box.height) > 0.2 ? 0.95 : 0.3;
      });
    },
  },
};

function makeVisit(shown: Shown | readonly Shown[]): Visit {
  const visits = [shown].flat().map(makePhotoVisit);
  const [first] = visits;
  if (!first) throw new Error('a visit without photos');
  return visits.slice(1).reduce(joinVisits, first);
}

/** Adds the photo and findings of the second visit to the first. */
function joinVisits(one: Visit, other: Visit): Visit {
  const [data, more] = [one.inspection.data, other.inspection.data];
  if (!data.results || !more.results) throw new Error('the examples have results');
  const index = data.images.length;
  const move = <D extends Damage>(damage: D): D => ({
    ...damage,
    damage_id: `${damage.damage_id}_${damage.evidence[0]?.image_url}`,
    number: damage.number + 10 * index,
    evidence: damage.evidence.map((shown) => ({ ...shown, image_index: index })),
  });
  data.images.push(...more.images.map((photo) => ({ ...photo, index })));
  data.results.damages.push(...more.results.damages.map(move));
  data.results.to_check.push(...more.results.to_check.map(move));
  return {
    ...one,
    openPhoto: async (photo) => ({ kind: 'bytes', bytes: new Uint8Array(), name: photo.url }),
  };
}

function makePhotoVisit({ picture, finds = [], joined = [], possible = [], file }: Shown): Visit {
  const name = file ?? `photo-${pictures.size}`;
  pictures.set(name, picture);
  const inspection: InspectionEnvelope = structuredClone(
    exampleInspection({
      damages: finds.length,
      toCheck: possible.length,
      photos: 1,
      rich: false,
      photoSize: SIZE,
    }),
  );
  const [photo] = inspection.data.images;
  if (!photo || !inspection.data.results) throw new Error('the example has a photo and results');
  const placed = [...finds, ...possible];
  Object.assign(photo, {
    url: name,
    sha256: name.padEnd(64, '0'),
    angle: 'left_side',
    analyzed: true,
    issues: [],
    record: {
      parts: [{ part: 'front_door_left', box: [0, 0, 640, 480], cut: false }],
      cm_per_pixel: 0.3,
    },
  });
  const { damages, to_check: toCheck } = inspection.data.results;
  for (const [at, damage] of ([...damages, ...toCheck] as Damage[]).entries()) {
    const box = placed[at];
    if (!box) throw new Error('a find without a box');
    const coordinates = { ...box, image_width: SIZE.width, image_height: SIZE.height };
    damage.type = 'dent';
    damage.location = { ...damage.location, part: 'front_door_left', side: 'left', coordinates };
    const boxes = [[box, 0.8] as const, ...(at === 0 ? joined : [])];
    damage.evidence = boxes.map(([each, confidence]) => ({
      image_index: photo.index,
      image_url: name,
      coordinates: { ...coordinates, ...each },
      confidence,
    }));
  }
  inspection.data.results.not_assessed = [];
  return { inspection, openPhoto: async () => ({ kind: 'bytes', bytes: new Uint8Array(), name }) };
}

const compare = (
  before: Shown | readonly Shown[],
  after: Shown | readonly Shown[],
  using: (() => Promise<ComparisonDeps>) | null = async () => deps,
) => compareVisits(makeVisit(before), makeVisit(after), using);
const list = ({ places }: Comparison) => places.map(({ change, rule }) => `${change} ${rule}`);

const DENT = damaged(clean, ONE);

describe('two visits', () => {
  test.each<[string, Shown, Shown, string[]]>([
    [
      'a planted dent is new',
      { picture: clean },
      { picture: again(DENT), finds: [moved(ONE)] },
      ['new not_there'],
    ],
    [
      'a dent that is gone is repaired',
      { picture: DENT, finds: [ONE] },
      { picture: again(clean) },
      ['repaired not_there'],
    ],
    [
      'a place to check is no change, whatever the photos show',
      { picture: clean },
      { picture: again(DENT), possible: [moved(ONE)] },
      ['to_check not_there'],
    ],
    [
      'a dent that both show is as it was, whatever its level',
      { picture: DENT, possible: [ONE] },
      { picture: again(DENT), finds: [moved(ONE)] },
      ['unchanged same_picture'],
    ],
    [
      'a dent where the handover lists a place to check is new',
      { picture: clean, possible: [ONE] },
      { picture: again(DENT), finds: [moved(ONE)] },
      ['new not_there'],
    ],
    [
      'a place to check on both days is listed once, as that',
      { picture: DENT, possible: [ONE] },
      { picture: again(DENT), possible: [moved(ONE)] },
      ['to_check to_check_on_both'],
    ],
    [
      'a dent that the other did not notice at all is as it was, by the picture',
      { picture: DENT },
      { picture: again(DENT), finds: [moved(ONE)] },
      ['unchanged same_picture'],
    ],
    [
      'one stays and one comes',
      { picture: DENT, finds: [ONE] },
      { picture: again(damaged(DENT, TWO)), finds: [moved(ONE), moved(TWO)] },
      ['new not_there', 'unchanged same_picture'],
    ],
    [
      'another dent in the place of one is a change',
      { picture: plant(clean, { x: 306, y: 226, width: 14, height: 18 }), finds: [ONE] },
      { picture: again(plant(clean, { x: 320, y: 226, width: 14, height: 18 })), finds: [moved(ONE)] },
      ['changed different'],
    ],
    [
      'a new dent that joined an old one is a change of it',
      { picture: DENT, finds: [ONE] },
      { picture: again(damaged(DENT, TWO)), finds: [moved(ONE)], joined: [[moved(TWO), 0.75]] },
      ['changed partly_absent'],
    ],
    [
      'a place to check that joined an old dent changes nothing',
      { picture: DENT, finds: [ONE] },
      { picture: again(damaged(DENT, TWO)), finds: [moved(ONE)], joined: [[moved(TWO), 0.4]] },
      ['unchanged same_picture'],
    ],
    [
      'a new dent is not hidden by a place to check that joined it and was there',
      { picture: damaged(clean, TWO) },
      { picture: again(damaged(DENT, TWO)), finds: [moved(ONE)], joined: [[moved(TWO), 0.4]] },
      ['changed partly_absent'],
    ],
    [
      'a photo of something else shows nothing',
      { picture: drawTexture(SIZE.width, SIZE.height, 77) },
      { picture: DENT, finds: [ONE] },
      ['cannot_tell no_same_view'],
    ],
  ])('%s', async (_, before, after, wanted) => {
    expect(list(await compare(before, after))).toEqual(wanted);
  });

  test('a row keeps its number, whatever the photos show', async () => {
    const [before, after] = [
      { picture: DENT, finds: [ONE] },
      { picture: again(damaged(clean, TWO)), finds: [moved(TWO)] },
    ];
    const rows = ({ places }: Comparison) =>
      places.map(({ row, before: earlier, after: later }) => [row, (later ?? earlier)?.damage_id]).sort();
    const seen = await compare(before, after);
    expect(rows(seen).map(([row]) => row)).toEqual(['1', 'B1']);
    expect(rows(await compare(before, after, null))).toEqual(rows(seen));
  });

  test('without photos nothing is new or repaired', async () => {
    const said = await compare({ picture: clean }, { picture: again(DENT), finds: [moved(ONE)] }, null);
    expect(list(said)).toEqual(['cannot_tell no_same_view']);
    expect(said.differences).toContain('no_photos');
    const listed = await compare({ picture: DENT, finds: [ONE] }, { picture: DENT, finds: [ONE] }, null);
    expect(list(listed)).toEqual(['cannot_tell no_same_view', 'cannot_tell no_same_view']);
  });
});

describe('photos that cannot be read', () => {
  const rejecting = (failures: number): { deps: ComparisonDeps; tried: () => number } => {
    let tried = 0;
    const rejection = { code: 'IMAGE_UNREADABLE', message: '', found: 'a photo too slow', needed: '' };
    const reader: ComparisonDeps['reader'] = {
      read: async (source) =>
        source.kind === 'bytes' && source.name === 'slow' && tried++ < failures
          ? { ok: false, rejection }
          : deps.reader.read(source),
    };
    return { deps: { ...deps, reader }, tried: () => tried };
  };
  const slow: Shown = { picture: again(DENT), finds: [moved(ONE)], file: 'slow' };

  test('decoding is tried again once', async () => {
    const { deps: once, tried } = rejecting(1);
    const said = await compare({ picture: clean }, slow, async () => once);
    expect(list(said)).toEqual(['new not_there']);
    expect([said.unreadable, said.differences.includes('no_photos'), tried()]).toEqual([[], false, 2]);
  });

  test('a photo that fails twice is named with its reason; no folder is asked for', async () => {
    const { deps: twice } = rejecting(2);
    const said = await compare({ picture: clean }, slow, async () => twice);
    expect(list(said)).toEqual(['cannot_tell own_photo_unreadable']);
    expect(said.unreadable.map(({ visit, photo, reason }) => [visit, photo.url, reason])).toEqual([
      ['after', 'slow', 'a photo too slow'],
    ]);
    expect(said.differences).not.toContain('no_photos');
  });

  test('folders are asked for where no file of a visit was found', async () => {
    const after = {
      ...makeVisit({ picture: again(DENT), finds: [moved(ONE)] }),
      openPhoto: async () => null,
    };
    const said = await compareVisits(makeVisit({ picture: clean }), after, async () => deps);
    expect(said.differences).toContain('no_photos');
    expect(said.unreadable).toEqual([]);
  });
});

describe('laws', { timeout: 120_000 }, () => {
  const MIRROR: Partial<Record<Change, Change>> = {
    new: 'repaired',
    repaired: 'new',
  };
  /** What a visit says of a place: no damage, damage that it does not list, lists, or lists to check; a reflection. */
  const state = fc.constantFrom('none', 'unlisted', 'certain', 'to check', 'reflection');
  const visit = fc
    .record({ one: state, two: state, isRetaken: fc.boolean() })
    .map(({ one, two, isRetaken }): Shown => {
      const states = [
        [ONE, one],
        [TWO, two],
      ] as const;
      const there = states.filter(([, said]) => said !== 'none' && said !== 'reflection');
      const picture = there.reduce((drawn, [box]) => damaged(drawn, box), clean);
      const list = (...words: readonly string[]) =>
        states.filter(([, said]) => words.includes(said)).map(([box]) => (isRetaken ? moved(box) : box));
      return {
        picture: isRetaken ? again(picture) : picture,
        finds: list('certain'),
        possible: list('to check', 'reflection'),
      };
    });

  test('a visit is unchanged against itself, also where its files differ', async () => {
    await fc.assert(
      fc.asyncProperty(visit, fc.boolean(), async (shown, isCopy) => {
        const file = `self-${pictures.size}`;
        const { places } = await compare(
          { ...shown, file },
          { ...shown, file: isCopy ? `${file}-copy` : file },
        );
        const changes = places.map(({ change }) => change);
        expect(changes.filter((change) => change !== 'unchanged' && change !== 'to_check')).toEqual([]);
        expect(places.length).toBe((shown.finds?.length ?? 0) + (shown.possible?.length ?? 0));
      }),
      { numRuns: 6 },
    );
  });

  test('two visits the other way round say the mirror', async () => {
    await fc.assert(
      fc.asyncProperty(visit, visit, async (one, other) => {
        const [first, second] = [
          { ...one, file: `mirror-${pictures.size}` },
          { ...other, file: `mirror-${pictures.size}-other` },
        ];
        const [forth, back] = [await compare(first, second), await compare(second, first)];
        const ids = ({ places }: Comparison, mirrored: boolean) =>
          places
            .map(({ change, rule, before, after }) => {
              const [earlier, later] = mirrored ? [after, before] : [before, after];
              const said = mirrored ? (MIRROR[change] ?? change) : change;
              return [said, rule, earlier?.damage_id ?? '', later?.damage_id ?? ''].join(' ');
            })
            .sort();
        expect(ids(back, true)).toEqual(ids(forth, false));
      }),
      { numRuns: 4 },
    );
  });

  test('what the handover lists to check changes no verdict on certain damage', async () => {
    const after = { picture: again(damaged(DENT, TWO)), finds: [moved(ONE), moved(TWO)], file: 'law-after' };
    const handover = { picture: damaged(clean, TWO), file: 'law-before' };
    const plain = list(await compare(handover, after));
    expect(plain).toEqual(['new not_there', 'unchanged same_picture']);
    const number = (max: number) => fc.integer({ min: 0, max });
    const box = fc
      .record({ x: number(520), y: number(380), width: number(90), height: number(90) })
      .map(({ x, y, width, height }) => ({ x, y, width: width + 10, height: height + 10 }));
    const near = fc.constantFrom(ONE, TWO, { ...ONE, width: 70 }, { ...TWO, x: TWO.x - 10 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(box, near), { maxLength: 4 }), async (possible) => {
        const { places } = await compare({ ...handover, possible }, after);
        const certain = places.filter((place) => place.certain);
        expect(certain.map(({ change, rule }) => `${change} ${rule}`)).toEqual(plain);
      }),
      { numRuns: 4 },
    );
  });

  const other = drawTexture(SIZE.width, SIZE.height, 5);
  const handover: Shown[] = [
    { picture: clean, file: 'before-1' },
    { picture: other, file: 'before-2' },
    { picture: damaged(other, TWO), finds: [TWO], file: 'before-3' },
  ];
  const back: Shown[] = [
    { picture: again(DENT), finds: [moved(ONE)], file: 'after-1' },
    { picture: again(damaged(other, TWO)), finds: [moved(TWO)], file: 'after-2' },
    { picture: again(clean), file: 'after-3' },
  ];
  const verdicts = ({ places }: Comparison) =>
    places
      .map(({ change, rule, before, after }) =>
        [change, rule, ...[before, after].map((one) => one?.evidence[0]?.image_url ?? '-')].join(' '),
      )
      .sort();

  test('the order of the photos changes nothing', async () => {
    const sorted = verdicts(await compare(handover, back));
    expect(sorted.length).toBeGreaterThan(1);
    const take = (photos: readonly Shown[]) => [1, 2, 0].map((at) => photos[at] as Shown);
    expect(verdicts(await compare(take(handover), back))).toEqual(sorted);
    expect(verdicts(await compare(handover, take(back)))).toEqual(sorted);
  });

  test('a generated photo more of the earlier visit makes no unchanged damage new', async () => {
    await fc.assert(
      fc.asyncProperty(visit, visit, visit, async (one, more, later) => {
        const [few, all] = [await compare(one, later), await compare([one, more], later)];
        const list = ({ places }: Comparison, ...changes: readonly Change[]) =>
          places.flatMap(({ change, after }) => (after && changes.includes(change) ? after.damage_id : []));
        const kept = list(few, 'unchanged', 'changed', 'to_check');
        expect(list(all, 'new').filter((id) => kept.includes(id))).toEqual([]);
      }),
      { numRuns: 3 },
    );
  });
});
